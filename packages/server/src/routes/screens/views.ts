/** Saved views (docs/decisions/0045). The history has only ids, because a name and a query can contain labels of subjects. */
import { countedViews, maxViews, queries, type View, type viewOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid, Problem, referenceNotFound } from '../../errors.ts';
import { scopeOf } from '../../http/access/authorize.ts';
import { created, ok, type Account, type Call, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { lockUser } from '../../store/people/users.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import { includesCohort } from '../../store/scope.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import * as views from '../../store/screens/views.ts';
import { findCohort } from '../../store/study/cohorts.ts';
import { rejectChangedReference } from '../references/read-only-reference.ts';
import { countView } from './count-view.ts';
import { faultOf } from './query-faults.ts';

export const viewHandlers: Handlers<typeof viewOperations> = {
  async listViews({ database, account, query, links }) {
    const page = await views.listViews(database.db, account, screenPage(query, maxViews));
    if (!page) throw invalid({ pointer: '?after', detail: viewIsGone });
    const { rows, hasMore } = page;
    const next = () => (hasMore ? rows.at(-1)?.id : undefined);
    return { status: 200, body: { views: rows.map((row) => showView(links, row)) }, next };
  },

  async getViewCounts({ database, account }) {
    const page = await views.listViews(database.db, account, { limit: countedViews, offset: 0, after: 0 });
    const counts = [];
    for (const view of page?.rows ?? []) counts.push(await countView(database.db, account, view));
    return ok({ counts });
  },

  async createView(call) {
    const { database, account, body, links } = call;
    rejectInvalidQuery(body.query);
    const view = await inTransaction(database.db, async (tx) => {
      await requireFewViews(tx, account.id);
      const { name, query, sort = 'id', columns = [] } = body;
      const cohort_id = await readSharing(tx, account, body.cohort_id);
      const id = await views.insertView(tx, account.id, { name, query, sort, columns, cohort_id });
      await record(tx, call, account.id, { before: null, after: { view_id: id, cohort_id } });
      return views.getView(tx, account, id);
    });
    return created(showView(links, view), view.version);
  },

  async getView({ database, account, params, links }) {
    const view = await views.getView(database.db, account, params.id);
    return ok(showView(links, view), view.version);
  },

  async updateView(call) {
    const { database, account, params, body, links } = call;
    if (body.query !== undefined) rejectInvalidQuery(body.query);
    const view = await inTransaction(database.db, async (tx) => {
      const stored = await views.lockView(tx, account, params.id);
      call.requireVersion(stored.version);
      if (stored.owner_id !== account.id) throw new Problem('not_allowed', onlyOwner);
      rejectOtherCohort(links, body.cohort, stored);
      const changes = await readChanges(tx, account, stored, body);
      if (!changes) return stored;
      await views.updateView(tx, stored.id, changes);
      const { cohort_id = stored.cohort_id } = changes;
      const after = { view_id: stored.id, cohort_id, changed: Object.keys(changes) };
      await record(tx, call, account.id, { before: idsOf(stored), after });
      return views.getView(tx, account, stored.id);
    });
    return ok(showView(links, view), view.version);
  },

  async deleteView(call) {
    const { database, account, params, links } = call;
    const view = await inTransaction(database.db, async (tx) => {
      const stored = await views.lockView(tx, account, params.id);
      call.requireVersion(stored.version);
      rejectUnlessDeletable(account, stored);
      await views.deleteView(tx, stored.id);
      await record(tx, call, stored.owner_id, { before: idsOf(stored), after: null });
      return stored;
    });
    return ok(showView(links, view), view.version);
  },
};

const viewIsGone = 'You cannot read the view of ?after, or it was deleted. Read the list from its beginning.';
const onlyOwner = 'Only the owner of a view can change it. Save your own view with the same query instead.';

function rejectInvalidQuery(text: string): void {
  const { errors } = queries.readQuery(text);
  if (errors.length > 0) throw invalid(...errors.slice(0, 20).map((error) => faultOf('/query', error)));
}

/** Locks the owner, so that concurrent requests do not exceed the limit. */
async function requireFewViews(tx: Tx, ownerId: number): Promise<void> {
  await lockUser(tx, ownerId);
  if ((await views.countViews(tx, ownerId)) < maxViews) return;
  throw new Problem('too_many_views', `You have ${maxViews} views. Delete one that you no longer need.`);
}

/** The cohort with which the caller can share a view. */
async function readSharing(tx: Tx, account: Account, cohortId: number | undefined): Promise<number | null> {
  if (cohortId === undefined) return null;
  const cohort = await findCohort(tx, account.scope, { id: cohortId });
  if (!cohort) throw referenceNotFound('/cohort_id', `cohort with id ${cohortId}`);
  requireSharing(account, cohortId);
  return cohortId;
}

function requireSharing(account: Account, cohortId: number): void {
  if (includesCohort(scopeOf(account, 'sample_update'), cohortId)) return;
  throw new Problem(
    'not_allowed',
    'You need the permission `sample_update` in the cohort of a shared view. A private view needs no permission.',
  );
}

type Body = Call<(typeof viewOperations)['updateView']>['body'];

async function readChanges(
  tx: Tx,
  account: Account,
  stored: views.ViewRow,
  { name, query, sort, columns, cohort_id }: Body,
): Promise<Partial<views.ViewValues> | undefined> {
  const cohortId = cohort_id == null ? cohort_id : await readSharing(tx, account, cohort_id);
  if (cohortId === undefined && stored.cohort_id !== null) requireSharing(account, stored.cohort_id);
  const isSame = JSON.stringify(columns) === JSON.stringify(stored.columns);
  const wanted = { name, query, sort, columns: isSame ? undefined : columns, cohort_id: cohortId };
  return differing<views.ViewValues>(stored, wanted);
}

const cohortOf = (links: Links, { cohort_id: id, cohort_label: label }: views.ViewRow) =>
  id === null || label === null ? null : links.ref('cohorts', { id, label });

function rejectOtherCohort(links: Links, given: unknown, stored: views.ViewRow): void {
  const cohort = cohortOf(links, stored);
  if (given === undefined || (given === null && cohort === null)) return;
  rejectChangedReference(given, cohort ?? { id: 0, label: '', uri: '' }, { pointer: '/cohort', use: 'cohort_id' });
}

function rejectUnlessDeletable(account: Account, { owner_id: ownerId, cohort_id: cohortId }: views.ViewRow): void {
  if (ownerId === account.id) return;
  if (cohortId !== null && includesCohort(scopeOf(account, 'sample_add'), cohortId)) return;
  throw new Problem(
    'not_allowed',
    'Only the owner of a view, and users with the permission `sample_add` in its cohort, can delete it.',
  );
}

const idsOf = ({ id, cohort_id }: views.ViewRow) => ({ view_id: id, cohort_id });

const record = (
  tx: Tx,
  { author }: Pick<Call, 'author'>,
  ownerId: number,
  change: { before: object | null; after: object | null },
) => recordChange(tx, author, { objectKind: 'user', objectId: ownerId, ...change });

const showView = (links: Links, row: views.ViewRow): Static<typeof View> => ({
  id: row.id,
  uri: links.uri('views', row.id),
  name: row.name,
  query: row.query,
  sort: row.sort,
  columns: row.columns,
  owner: { id: row.owner_id, name: row.owner_name },
  shared: row.cohort_id !== null,
  cohort: cohortOf(links, row),
  created_at: row.created_at,
  changed_at: row.changed_at,
});
