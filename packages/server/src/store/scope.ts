/** Which cohorts a caller may see. Every list and get of study data takes one; this is the only place that applies it. */
import { sql, type RawBuilder } from 'kysely';
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
 * The rows of a table, cohort by cohort: however many cohorts there are, and whatever a plan that is kept takes them for, each is
 * read by its index. What is not asked of them is not read.
 */
export function rowsIn(scope: Scope, table: string, more = sql<boolean>`true`): RawBuilder<unknown> {
  const name = sql.table(table);
  return sql`unnest(${idsOf(scope)}::bigint[]) as wanted (id) cross join lateral (
    select ${name}.* from ${name} where ${name}.cohort_id = wanted.id and ${more} offset 0) as ${name}`;
}

/**
 * How a list is ordered for a caller who may see some cohorts only: by the index of those cohorts' rows. The pages of several
 * cohorts are merged; `more` is then what else the list asks of its rows.
 */
export function inOrderOfScope(
  scope: Scope,
  columns: Columns,
  more = sql<boolean>`true`,
): Pick<Order, 'parent' | 'first'> {
  const [id, ...others] = scope.kind === 'all' ? [] : scope.ids;
  if (id === undefined) return {};
  return others.length === 0
    ? { parent: { column: columns.cohort, id } }
    : { first: firstOfCohorts([id, ...others], columns, more) };
}

/** Of one table, with an index of both. */
interface Columns {
  cohort: string;
  id: string;
}

const firstOfCohorts =
  (ids: readonly number[], columns: Columns, more: RawBuilder<boolean>): NonNullable<Order['first']> =>
  ({ after, most }) => {
    const [cohort, id] = [sql.ref(columns.cohort), sql.ref(columns.id)];
    const [table = ''] = columns.id.split('.', 1);
    return sql`
      select found.id from unnest(${[...ids]}::bigint[]) as wanted (id) cross join lateral (
        select ${id} from ${sql.table(table)}
        where (${cohort}, ${id}) > (wanted.id, ${after}) and ${cohort} <= wanted.id and ${more}
        order by ${cohort}, ${id} limit ${most}) as found
      order by found.id limit ${most}`;
  };
