/** Which cohorts a caller may see. Every list and get of study data takes one; this is the only place that applies it. */
import { sql, type RawBuilder } from 'kysely';

export type Scope = { kind: 'all' } | { kind: 'cohorts'; ids: readonly number[] };

export const allCohorts: Scope = { kind: 'all' };

/** A condition on the column that holds the cohort's id. */
export const inScope = (scope: Scope, cohortColumn: string): RawBuilder<boolean> =>
  scope.kind === 'all' ? sql<boolean>`true` : sql<boolean>`${sql.ref(cohortColumn)} = any(${[...scope.ids]}::bigint[])`;
