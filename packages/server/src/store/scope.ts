/** Which cohorts a caller may see. Every list and get of study data takes one; this is the only place that applies it. */
import { sql, type RawBuilder } from 'kysely';
import type { Order } from '../database/read-list.ts';

export type Scope = { kind: 'all' } | { kind: 'cohorts'; ids: readonly number[] };

export const allCohorts: Scope = { kind: 'all' };

/** A condition on the column that holds the cohort's id. */
export const inScope = (scope: Scope, cohortColumn: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(cohortColumn)} = any(${[...scope.ids]}::bigint[])`;

/**
 * How a list is ordered for a caller who may see one cohort only: by the index of that cohort's rows. Several cohorts are
 * read in the order of ids.
 */
export function inOrderOfScope(scope: Scope, cohortColumn: string): Pick<Order, 'parent'> {
  const [id, ...others] = scope.kind === 'all' ? [] : scope.ids;
  return id === undefined || others.length > 0 ? {} : { parent: { column: cohortColumn, id } };
}
