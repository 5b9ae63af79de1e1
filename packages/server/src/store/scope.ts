/** Which cohorts a caller may see. Every list and get of study data takes one; this is the only place that applies it. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { findAll, lookAlong, type Find, type Wanted } from '../database/found-list.ts';
import type { Order } from '../database/read-list.ts';

export type Scope = { kind: 'all' } | { kind: 'cohorts'; ids: readonly number[] };

export const allCohorts: Scope = { kind: 'all' };

/** For what is not about study data, or before it is known what is asked for. */
export const noCohorts: Scope = { kind: 'cohorts', ids: [] };

export const holdsCohort = (scope: Scope, cohortId: number): boolean =>
  scope.kind === 'all' || scope.ids.includes(cohortId);

export const isWithin = (inner: Scope, outer: Scope): boolean =>
  outer.kind === 'all' || (inner.kind === 'cohorts' && inner.ids.every((id) => outer.ids.includes(id)));

/** As a column holds it: null for all. */
export const idsOf = (scope: Scope): number[] | null => (scope.kind === 'all' ? null : [...scope.ids]);
export const storedScope = (ids: readonly number[] | null): Scope =>
  ids === null ? allCohorts : { kind: 'cohorts', ids: ids.map(Number) };

/** A condition on the column that holds the cohort's id. */
export const inScope = (scope: Scope, cohortColumn: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(cohortColumn)} = any(${[...scope.ids]}::bigint[])`;

/**
 * The same on an experiment's id. Looked up for each row by itself: a join might read all experiments of these cohorts, for every
 * batch of rows.
 */
export const experimentInScope = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  select ${inScope(scope, 'experiments.cohort_id')} from experiments where experiments.id = ${id})`;

const wantedIn = (scope: Scope) => sql`unnest(${idsOf(scope)}::bigint[]) as wanted (id)`;

/**
 * All rows of a table, cohort by cohort, however many cohorts there are. What is not asked of them is not read. Spelled so that the planner
 * believes it to be very little, whatever the cohort is: by `cohort_id = wanted.id` alone it believes that all cohorts have as many rows,
 * and for a small one among few it would read the whole table, or all labels that begin alike.
 */
export function rowsIn(scope: Scope, table: string, more = sql<boolean>`true`): RawBuilder<unknown> {
  const [name, cohort, id] = [sql.table(table), sql.ref(`${table}.cohort_id`), sql.ref(`${table}.id`)];
  return sql`${wantedIn(scope)} cross join lateral (
    select ${name}.* from ${name}
    where (${cohort}, ${id}) > (wanted.id, 0) and ${cohort} >= wanted.id and ${cohort} <= wanted.id and ${more}
    offset 0) as ${name}`;
}

/** So many rows are looked at, for whoever may see some cohorts only, before the index of those cohorts leads. */
export const looks = 10_000;

/** Whether there are more than those. `rows` has as many as are asked of it. */
export async function goesBeyondLooks(db: Db, rows: (most: number) => RawBuilder<unknown>): Promise<boolean> {
  const beyond = await sql`select from ${rows(looks + 1)} offset ${looks}`.execute(db);
  return beyond.rows.length > 0;
}

/**
 * How a list is ordered for a caller who may see some cohorts only: by the index of those cohorts' rows. `more` is what else the list
 * asks of its rows.
 */
export function inOrderOfScope(
  scope: Scope,
  columns: Columns,
  more?: RawBuilder<boolean>,
): Pick<Order, 'parent' | 'find'> {
  const [id, ...others] = scope.kind === 'all' ? [] : scope.ids;
  if (id === undefined) return {};
  if (more !== undefined) return { find: findAmong(scope, columns, more) };
  return others.length === 0 ? { parent: { column: columns.cohort, id } } : { find: findInCohorts(scope, columns) };
}

/** Of one table, with an index of both. */
interface Columns {
  cohort: string;
  id: string;
}

const tableOf = ({ id }: Columns) => sql.table(id.split('.', 1)[0] ?? '');

/** Of each cohort in one step. For many more the planner would rather read all cohorts, and sort them. */
const rowsOfAStep = 5000;

/** The pages of all cohorts, merged: each is walked along its index, and left where the page is full. */
const nextIn = (scope: Scope, columns: Columns, { after, most }: Wanted): RawBuilder<{ id: number }> => {
  const [cohort, id] = [sql.ref(columns.cohort), sql.ref(columns.id)];
  return sql`
    select found.id from ${wantedIn(scope)} cross join lateral (
      select ${id} from ${tableOf(columns)}
      where (${cohort}, ${id}) > (wanted.id, ${after}) and ${cohort} <= wanted.id
      order by ${cohort}, ${id} limit ${most}) as found
    order by found.id limit ${most}`;
};

const findInCohorts =
  (scope: Scope, columns: Columns): Find =>
  (run, wanted) => {
    const most = Math.min(wanted.most, rowsOfAStep);
    return findAll(run, nextIn(scope, columns, { ...wanted, most }), most);
  };

/** What is asked for may be rare within the cohorts, too. */
const findAmong =
  (scope: Scope, columns: Columns, more: RawBuilder<boolean>): Find =>
  (run, { after, most }) =>
    lookAlong(run, most, {
      near: nextIn(scope, columns, { after, most: rowsOfAStep }),
      looks: rowsOfAStep,
      order: sql`near.id`,
      where: sql<boolean>`(select ${more} from ${tableOf(columns)} where ${sql.ref(columns.id)} = near.id)`,
    });
