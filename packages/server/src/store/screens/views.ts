/** Saved views. A private view exists only for its owner, a shared one for everybody who can read its cohort. */
import type { searchSorts } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import type { Caller } from '../people/caller.ts';
import { foldName } from '../people/users.ts';
import { inScope } from '../scope.ts';
import type { ScreenPage } from './screen-page.ts';

type SortName = (typeof searchSorts)[number];

export interface ViewValues {
  name: string;
  query: string;
  sort: SortName | `-${SortName}`;
  columns: string[];
  cohort_id: number | null;
}

export interface ViewRow extends ViewValues {
  id: number;
  owner_id: number;
  owner_name: string;
  /** Null if the view is private, or if the caller cannot read the cohort. */
  cohort_label: string | null;
  created_at: string;
  changed_at: string;
  version: number;
}

const ownedBy = ({ id }: Caller) => sql`select views.* from views where views.owner_id = ${id}`;
const sharedWith = ({ id, scope }: Caller) => sql`
  select views.* from views
  where views.cohort_id is not null and ${inScope(scope, 'views.cohort_id')} and views.owner_id <> ${id}`;

/** Two queries, because each has its index. */
const visibleTo = (caller: Caller) => sql`(${ownedBy(caller)} union all ${sharedWith(caller)})`;

const select = (caller: Caller, from: RawBuilder<unknown>) => sql<ViewRow>`
  select views.id, views.name, views.query, views.sort, views.columns, views.owner_id, views.cohort_id, views.created_at,
    views.changed_at, views.version, coalesce(nullif(users.name, ''), users.username) as owner_name, cohorts.label as cohort_label
  from ${from} as views join users on users.id = views.owner_id
  left join cohorts on cohorts.id = views.cohort_id and ${inScope(caller.scope, 'cohorts.id')}`;

/** Ordered by name. Undefined if the caller cannot see the view after which the page starts. */
export async function listViews(
  db: Db,
  caller: Caller,
  { limit, offset, after }: ScreenPage,
): Promise<{ rows: ViewRow[]; hasMore: boolean } | undefined> {
  const start = after === 0 ? undefined : await findView(db, caller, after);
  if (after !== 0 && !start) return undefined;
  const { rows } = await sql<ViewRow>`
    ${select(caller, visibleTo(caller))}
    where ${start ? sql`(views.name_key, views.id) > (${foldName(start.name)}, ${start.id})` : sql`true`}
    order by views.name_key, views.id limit ${limit + 1} offset ${offset}`.execute(db);
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

const isVisibleTo = ({ id, scope }: Caller) =>
  sql`(views.owner_id = ${id} or views.cohort_id is not null and ${inScope(scope, 'views.cohort_id')})`;

export async function findView(db: Db, caller: Caller, id: number): Promise<ViewRow | undefined> {
  const found = await sql<ViewRow>`
    ${select(caller, sql`views`)} where views.id = ${id} and ${isVisibleTo(caller)}`.execute(db);
  return found.rows[0];
}

const missing = (id: number) => notFound(`view with id ${id}`);

export async function getView(db: Db, caller: Caller, id: number): Promise<ViewRow> {
  const view = await findView(db, caller, id);
  if (!view) throw missing(id);
  return view;
}

/** Locks the view until the end of the transaction. */
export async function lockView(tx: Tx, caller: Caller, id: number): Promise<ViewRow> {
  await sql`select from views where views.id = ${id} and ${isVisibleTo(caller)} for no key update`.execute(tx);
  return getView(tx, caller, id);
}

/** The caller has locked the owner. */
export async function countViews(tx: Tx, ownerId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('views.owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertView(tx: Tx, ownerId: number, values: ViewValues): Promise<number> {
  const row = { ...values, owner_id: ownerId, name_key: foldName(values.name) };
  return (await tx.insertInto('views').values(row).returning('views.id').executeTakeFirstOrThrow()).id;
}

export async function updateView(tx: Tx, id: number, changes: Partial<ViewValues>): Promise<void> {
  const named = changes.name === undefined ? {} : { name_key: foldName(changes.name) };
  await tx
    .updateTable('views')
    .set((view) => ({
      ...changes,
      ...named,
      changed_at: sql<string>`clock_timestamp()`,
      version: view('version', '+', 1),
    }))
    .where('views.id', '=', id)
    .execute();
}

export async function deleteView(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('views').where('views.id', '=', id).execute();
}

/** Returns their number. Shared views stay, because others use them. */
export async function deletePrivateViews(tx: Tx, ownerId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('views')
    .where('views.owner_id', '=', ownerId)
    .where('views.cohort_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
