/** Bulk operations (docs/decisions/0046). The history of the author's account records them without their texts, which can name subjects. */
import {
  bulkPermissions,
  queries,
  shownRefusals,
  type BulkItem,
  type BulkOperation,
  type bulkOperationOperations,
  type BulkStatus,
} from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid, Problem, referenceNotFound } from '../../errors.ts';
import { scopeOf } from '../../http/access/authorize.ts';
import { created, ok, type Account, type Call, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import * as items from '../../store/bulk/bulk-items.ts';
import * as operations from '../../store/bulk/bulk-operations.ts';
import { lockUser } from '../../store/people/users.ts';
import { resolveQuery } from '../../store/queries/resolve-query.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { includesAnyCohort } from '../../store/scope.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import { groupBy } from '../group-by.ts';
import { showPace } from '../pace.ts';
import { faultOf } from '../screens/query-faults.ts';
import { readBulkChange, readSource, type NewBody } from './read-bulk-body.ts';

export interface BulkServices {
  /** The most experiments that an operation changes in a second. */
  bulkPerSecond: number;
}

type BulkHandlers = Handlers<typeof bulkOperationOperations, BulkServices>;
type BulkCall = Pick<Call, 'database' | 'account' | 'author' | 'links'> & { params: { id: number } };
type Row = operations.BulkOperationRow;

const maxUnended = 20;
const [defaultOperations, defaultItems] = [50, 100];

export const bulkOperationHandlers: BulkHandlers = {
  async createBulkOperation(call) {
    const { database, account, body, author, bulkPerSecond } = call;
    const permission = bulkPermissions[body.kind];
    if (!includesAnyCohort(scopeOf(account, permission))) {
      throw new Problem('not_allowed', `You need the permission \`${permission}\`.`);
    }
    const values = {
      kind: body.kind,
      change: readBulkChange(body),
      ...readSource(body),
      author_id: account.id,
      token_id: account.token?.id ?? null,
      request_id: author.requestId,
      starts_itself: body.dry_run !== true,
      reason: body.dry_run === true ? '' : (body.reason ?? ''),
      rate: Math.min(body.rate ?? bulkPerSecond, bulkPerSecond),
    };
    await rejectInvalidReferences(call, body);
    const row = await inTransaction(database.db, async (tx) => {
      await requireFewUnended(tx, account.id);
      const id = await operations.insertBulkOperation(tx, values);
      await record(tx, call, { before: null, after: { bulk_operation_id: id, kind: body.kind } });
      return operations.getBulkOperation(tx, account, id);
    });
    return created(showOperation(call.links, row, []));
  },

  async listBulkOperations({ database: { db }, account, query, links }) {
    const { own = false, applied = false, before, limit = defaultOperations } = query;
    const page = { own, applied, before, limit: limit + 1 };
    const found = await operations.listBulkOperations(db, account, page);
    const rows = found.slice(0, limit);
    const ids = rows.map(({ id }) => id);
    const refusals = groupBy(await items.listRefusals(db, ids, shownRefusals), (row) => row.operation_id);
    const shown = rows.map((row) => showOperation(links, row, refusals(row.id)));
    const next = () => (found.length > limit ? rows.at(-1)?.id : undefined);
    return { ...ok({ bulk_operations: shown }), next, nextBy: 'before' };
  },

  getBulkOperation: async (call) => ok(await readShown(call, call.database.db)),

  async listBulkItems({ database: { db }, account, params, query, links }) {
    const operation = await operations.getBulkOperation(db, account, params.id);
    const { result, refusal } = query;
    const page = screenPage(query, defaultItems);
    const found = await items.listItems(db, account, operation, { result, refusal, ...page, limit: page.limit + 1 });
    const rows = found.slice(0, page.limit);
    const next = () => (found.length > page.limit ? rows.at(-1)?.number : undefined);
    return { ...ok({ items: rows.map((row) => showItem(links, row)) }), next };
  },

  applyBulkOperation: (call) => {
    const { reason, rate } = call.body;
    const limit = call.bulkPerSecond;
    return changeStatus(call, {
      from: ['checked'],
      otherwise: 'Only an operation that has been checked can be applied, and only once.',
      mayControl: isPermittedAuthor,
      changes: (row) => ({ ...asNow(call), reason, rate: Math.min(rate ?? row.rate, limit) }),
    });
  },

  pauseBulkOperation: (call) =>
    changeStatus(call, {
      from: ['running'],
      repeated: 'paused',
      otherwise: 'Only a running operation can be paused.',
      changes: () => ({ status: 'paused' }),
    }),

  resumeBulkOperation: (call) =>
    changeStatus(call, {
      from: ['paused'],
      repeated: 'running',
      otherwise: 'Only a paused operation can be resumed.',
      mayControl: isPermittedAuthor,
      changes: () => asNow(call),
    }),

  stopBulkOperation: (call) =>
    changeStatus(call, {
      from: ['checking', 'checked', 'running', 'paused'],
      repeated: 'stopped',
      otherwise: 'The operation has already finished.',
      mayControl: (account, row) =>
        isAuthor(account, row) || scopeOf(account, bulkPermissions[row.kind]).kind === 'all',
      changes: () => ({ status: 'stopped' }),
    }),
};

const onlyAuthor =
  'Only the author of a bulk operation can do this, with the permission for it. Users with this permission for all cohorts can stop it.';

const isAuthor = (account: Account, row: Row) => row.author_id === account.id;

/** An API token of the author can lack the permission. */
const isPermittedAuthor = (account: Account, row: Row) =>
  isAuthor(account, row) && includesAnyCohort(scopeOf(account, bulkPermissions[row.kind]));

/** From now on, it depends on the API token of this request. */
const asNow = ({ account }: Pick<Call, 'account'>) => ({
  status: 'running' as const,
  token_id: account.token?.id ?? null,
});

interface StatusChange {
  from: readonly BulkStatus[];
  /** A repeated request finds this status and changes nothing. */
  repeated?: BulkStatus;
  otherwise: string;
  /** Default: the author. */
  mayControl?: (account: Account, row: Row) => boolean;
  changes: (row: Row) => operations.BulkUpdate & { status: BulkStatus };
}

async function changeStatus(call: BulkCall, change: StatusChange) {
  const { from, repeated, otherwise, changes, mayControl = isAuthor } = change;
  const { database, account, params } = call;
  return inTransaction(database.db, async (tx) => {
    const row = await operations.lockBulkOperation(tx, account, params.id);
    if (!mayControl(account, row)) throw new Problem('not_allowed', onlyAuthor);
    if (row.status === repeated) return ok(await readShown(call, tx));
    if (!from.includes(row.status)) throw new Problem('status_conflict', `${otherwise} Its status is ${row.status}.`);
    const wanted = changes(row);
    await operations.updateBulkOperation(tx, row.id, wanted);
    const before = { bulk_operation_id: row.id, status: row.status };
    await record(tx, call, { before, after: { bulk_operation_id: row.id, status: wanted.status } });
    return ok(await readShown(call, tx));
  });
}

async function readShown({ account, params, links }: BulkCall, db: Call['database']['db']) {
  const row = await operations.getBulkOperation(db, account, params.id);
  return showOperation(links, row, await items.listRefusals(db, [row.id], shownRefusals));
}

/** A query with an error is rejected before a worker reads it. */
async function rejectInvalidReferences(
  { database: { db }, account }: Pick<Call, 'database' | 'account'>,
  body: NewBody,
) {
  const { query: text, refused_of: refusedOf } = body;
  if (refusedOf !== undefined) await requireFixed(db, account, refusedOf);
  if (text !== undefined) await rejectQuery(db, account, text);
}

/** More experiments can be refused until it has ended. */
async function requireFixed(db: Call['database']['db'], account: Account, id: number): Promise<void> {
  const found = await operations.findBulkOperation(db, account, id);
  if (!found) throw referenceNotFound('/refused_of', `bulk operation with id ${id}`);
  if (['checking', 'running', 'paused'].includes(found.status)) {
    throw new Problem('status_conflict', `Bulk operation ${id} has not ended. Its status is ${found.status}.`);
  }
}

async function rejectQuery(db: Call['database']['db'], account: Call['account'], text: string): Promise<void> {
  const { terms, errors } = queries.readQuery(text);
  if (errors.length > 0) throw invalid(...errors.slice(0, 20).map((error) => faultOf('/query', error)));
  const query = await resolveQuery(db, account, terms);
  if ('errors' in query) throw invalid(...query.errors.map((error) => faultOf('/query', error)));
}

/** Locks the author, so that concurrent requests do not exceed the limit. */
async function requireFewUnended(tx: Tx, authorId: number): Promise<void> {
  await lockUser(tx, authorId);
  if ((await operations.countUnended(tx, authorId)) < maxUnended) return;
  const detail = `You have ${maxUnended} bulk operations that have not ended. Stop those that you no longer need.`;
  throw new Problem('too_many_bulk_operations', detail);
}

const record = (
  tx: Tx,
  { author, account }: Pick<Call, 'author' | 'account'>,
  change: { before: object | null; after: object },
) => recordChange(tx, author, { objectKind: 'user', objectId: account.id, ...change });

const showOperation = (links: Links, row: Row, refusals: readonly items.RefusalRow[]): Static<typeof BulkOperation> => {
  const { state = null, run_callbacks = null, variables = null, user_id = null, text = null } = row.change;
  return {
    id: row.id,
    uri: links.uri('bulk_operations', row.id),
    kind: row.kind,
    status: row.status,
    stopped_because: row.stopped_because,
    query: row.query,
    refused_of: row.refused_of,
    state,
    run_callbacks,
    variables,
    user_id,
    text,
    applied: row.starts_itself || row.started_at !== null,
    reason: row.reason,
    rate: row.rate,
    author: { id: row.author_id, name: row.author_name },
    experiments: row.experiments,
    ready: row.ready,
    done: row.done,
    refused: row.refused,
    refusals: refusals.map(({ number, code, detail, experiments }) => ({ number, code, detail, experiments })),
    ...showPace(row),
    created_at: row.created_at,
    checked_at: row.checked_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  };
};

const showItem = (links: Links, row: items.ItemRow): Static<typeof BulkItem> => ({
  number: row.number,
  experiment_id: row.experiment_id,
  experiment: row.label === null ? null : links.ref('experiments', { id: row.experiment_id, label: row.label }),
  result: row.result,
  code: row.code,
  detail: row.detail,
});
