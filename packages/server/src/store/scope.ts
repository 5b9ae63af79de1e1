/** The cohorts that a caller can access. Every read of study data takes a Scope. Only this file applies it. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { scanStep, type FindStep } from '../database/stepwise-list.ts';
import type { Order } from '../database/read-list.ts';
import { findOfParents, nextOfParents, rowsPerStep, tableOf, type ParentColumns } from './merge-parents.ts';

export type Scope = { kind: 'all' } | { kind: 'cohorts'; ids: readonly number[] };

export const allCohorts: Scope = { kind: 'all' };

/** For requests without study data, or before the operation is known. */
export const noCohorts: Scope = { kind: 'cohorts', ids: [] };

export const includesCohort = (scope: Scope, cohortId: number): boolean =>
  scope.kind === 'all' || scope.ids.includes(cohortId);

export const includesAnyCohort = (scope: Scope): boolean => scope.kind === 'all' || scope.ids.length > 0;

export const isWithin = (inner: Scope, outer: Scope): boolean =>
  outer.kind === 'all' || (inner.kind === 'cohorts' && inner.ids.every((id) => outer.ids.includes(id)));

/** The column value of a scope. Null means all cohorts. */
export const idsOf = (scope: Scope): number[] | null => (scope.kind === 'all' ? null : [...scope.ids]);
export const storedScope = (ids: readonly number[] | null): Scope =>
  ids === null ? allCohorts : { kind: 'cohorts', ids: ids.map(Number) };

/** A condition on a column with cohort ids. */
export const inScope = (scope: Scope, cohortColumn: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(cohortColumn)} = any(${[...scope.ids]}::bigint[])`;

/** The cohort id of rows that have the sums of all cohorts. */
export const sumOfCohorts = 0;

/** A condition on a column with cohort ids and `sumOfCohorts`. */
export const inScopeOfSums = (scope: Scope, cohortColumn: string): RawBuilder<boolean> =>
  scope.kind === 'all'
    ? sql<boolean>`${sql.ref(cohortColumn)} = ${sql.lit(sumOfCohorts)}`
    : inScope(scope, cohortColumn);

/**
 * The same condition for a list. The order within a cohort includes it. With the condition beside it, PostgreSQL would start each page
 * at the first row of the cohort.
 */
export const inScopeOfList = (
  scope: Scope,
  cohortColumn: string,
  { parent }: Pick<Order, 'parent'>,
): RawBuilder<boolean> =>
  parent?.column === cohortColumn
    ? sql<boolean>`${sql.lit(includesCohort(scope, Number(parent.id)))}`
    : inScope(scope, cohortColumn);

/** The same condition on `experiments`, for a list that can be filtered by cohort. */
export const experimentsIn = (scope: Scope, { cohortId }: { cohortId?: number | undefined }): RawBuilder<boolean> =>
  cohortId === undefined
    ? inScope(scope, 'experiments.cohort_id')
    : sql<boolean>`${inScope(scope, 'experiments.cohort_id')} and experiments.cohort_id = ${cohortId}`;

/** The same condition in a prepared statement. `ids` is bound to `idsOf(scope)`. */
export const inBoundScope = (ids: RawBuilder<unknown>, cohortColumn: string): RawBuilder<boolean> =>
  sql<boolean>`(${ids}::bigint[] is null or coalesce(${sql.ref(cohortColumn)} = any(${ids}::bigint[]), false))`;

/**
 * The same condition on an experiment id. Looks up each experiment separately. A join might read all experiments of these cohorts
 * for every batch of rows.
 */
export const experimentInScope = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  select ${inScope(scope, 'experiments.cohort_id')} from experiments where experiments.id = ${id})`;

const cohortsOf = (scope: Scope) => sql`unnest(${idsOf(scope)}::bigint[]) as scoped (id)`;

/** The same scope, limited to one cohort, for a list that is filtered by cohort. */
export const withinCohort = (scope: Scope, cohortId: number): Scope =>
  includesCohort(scope, cohortId) ? { kind: 'cohorts', ids: [cohortId] } : noCohorts;

/**
 * All rows of a table in the scope, cohort by cohort. The condition makes the planner expect few rows. With
 * `cohort_id = scoped.id` alone, it assumes that all cohorts have the same size, and scans the whole table or all labels with
 * the same prefix even for a small cohort.
 */
export function rowsIn(scope: Scope, table: string, more = sql<boolean>`true`): RawBuilder<unknown> {
  const [name, cohort, id] = [sql.table(table), sql.ref(`${table}.cohort_id`), sql.ref(`${table}.id`)];
  return sql`${cohortsOf(scope)} cross join lateral (
    select ${name}.* from ${name}
    where (${cohort}, ${id}) > (scoped.id, 0) and ${cohort} >= scoped.id and ${cohort} <= scoped.id and ${more}
    offset 0) as ${name}`;
}

/** The ids of the latest experiments. Each cohort's index is read until it has enough. */
export const latestExperimentsIn = (scope: Scope, limit: number): RawBuilder<unknown> =>
  scope.kind === 'all'
    ? sql`select experiments.id from experiments order by experiments.id desc limit ${sql.lit(limit)}`
    : sql`select found.id from ${cohortsOf(scope)} cross join lateral (
        select experiments.id from experiments
        where (experiments.cohort_id, experiments.id) < (scoped.id + 1, 0) and experiments.cohort_id >= scoped.id
        order by experiments.cohort_id desc, experiments.id desc limit ${sql.lit(limit)}) as found
      order by found.id desc limit ${sql.lit(limit)}`;

/** With a limited scope, a search scans this many rows of all cohorts before it uses the index of the scope's cohorts. */
export const scanLimit = 10_000;

/** Whether there are more rows than `scanLimit`. `rows` returns a query with the given limit. */
export async function hasMoreToScan(db: Db, rows: (limit: number) => RawBuilder<unknown>): Promise<boolean> {
  const beyond = await sql`select from ${rows(scanLimit + 1)} offset ${scanLimit}`.execute(db);
  return beyond.rows.length > 0;
}

/**
 * The order of a list for a limited scope: by the index of the scope's cohorts. `more` is another condition of the list.
 */
export function orderByScope(
  scope: Scope,
  columns: Columns,
  more?: RawBuilder<boolean>,
): Pick<Order, 'parent' | 'find'> {
  const ids = scope.kind === 'all' ? [] : scope.ids;
  const [id, ...others] = ids;
  if (id === undefined) return {};
  const parent = { parent: columns.cohort, id: columns.id };
  if (more !== undefined) return { find: findMatching(ids, parent, more) };
  return others.length === 0 ? { parent: { column: columns.cohort, id } } : { find: findOfParents(ids, parent) };
}

/** Columns of one table, with an index on both. */
interface Columns {
  cohort: string;
  id: string;
}

/** For conditions that few rows of the cohorts match. */
const findMatching =
  (ids: readonly number[], columns: ParentColumns, more: RawBuilder<boolean>): FindStep =>
  (run, { after, limit }) =>
    scanStep(run, limit, {
      near: nextOfParents(ids, columns, { after, limit: rowsPerStep }),
      scanLimit: rowsPerStep,
      order: sql`near.id`,
      where: sql<boolean>`(select ${more} from ${tableOf(columns)} where ${sql.ref(columns.id)} = near.id)`,
    });
