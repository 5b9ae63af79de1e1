/** The numbers of cohorts: subjects, and experiments by state. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inCohorts, needingAttention } from './needing-attention.ts';
import { inStates, numbers, type Numbers } from './state-numbers.ts';

export interface CohortNumbers extends Numbers {
  subjects: number;
  withdrawn: number;
  subjects_attention: number;
}

/** In the order of the ids. One statement, so that all numbers are of one moment. */
export async function readCohortNumbers(db: Db, ids: readonly number[]): Promise<CohortNumbers[]> {
  const { rows } = await sql<CohortNumbers>`
    with ${needingAttention(inCohorts(ids))}, ${counted(ids)}, ${inStates('cohort_id', inCohorts(ids))}
    select page.id, ${amount('subjects')} as subjects, ${amount('withdrawn')} as withdrawn,
      (select count(distinct needing.subject_id) from needing where needing.cohort_id = page.id) as subjects_attention,
      ${numbers}
    from unnest(${[...ids]}::bigint[]) with ordinality as page (id, place) order by page.place`.execute(db);
  return rows;
}

const amount = (kind: 'subjects' | 'withdrawn') => sql`coalesce((
  select counted.amount from counted where counted.cohort_id = page.id and counted.kind = ${sql.lit(kind)}), 0)::bigint`;

const counted = (ids: readonly number[]) => sql`counted as (
  select parts.cohort_id, parts.kind, sum(parts.amount) as amount from (
    select counts.cohort_id, counts.kind, counts.amount from cohort_counts as counts
    where counts.cohort_id = any(${[...ids]}::bigint[]) and counts.kind in ('subjects', 'withdrawn')
    union all
    select deltas.cohort_id, deltas.kind, deltas.amount from cohort_count_deltas as deltas
    where deltas.cohort_id = any(${[...ids]}::bigint[])
  ) as parts group by parts.cohort_id, parts.kind)`;
