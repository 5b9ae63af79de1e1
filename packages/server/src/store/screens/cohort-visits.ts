/** The visits that are columns of a cohort's matrix: those that at least a fifth of the subjects have. */
import { maxVisits } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface Visit {
  visit: string;
  subjects: number;
}

/**
 * The most frequent ones first. Reads the counts of as many visits as there can be columns, and the deltas of a few seconds. Withdrawn
 * subjects are not counted.
 */
export async function listVisits(db: Db, cohortId: number): Promise<Visit[]> {
  const { rows } = await sql<Visit>`
    with recent as materialized (
      select deltas.kind, deltas.visit, sum(deltas.amount) as amount from cohort_count_deltas as deltas
      where deltas.cohort_id = ${cohortId} group by deltas.kind, deltas.visit
    ), candidates as (
      (select counts.visit from cohort_counts as counts where counts.cohort_id = ${cohortId} and counts.kind = 'visit'
        order by counts.amount desc limit ${sql.lit(maxVisits)})
      union
      select recent.visit from recent where recent.kind = 'visit'
    ), counted as (
      select candidates.visit, coalesce(counts.amount, 0) + coalesce(recent.amount, 0) as subjects
      from candidates
      left join cohort_counts as counts
        on counts.cohort_id = ${cohortId} and counts.kind = 'visit' and counts.visit = candidates.visit
      left join recent on recent.kind = 'visit' and recent.visit = candidates.visit
    ), present as (
      select coalesce(sum(case parts.kind when 'subjects' then parts.amount else -parts.amount end), 0) as subjects from (
        select counts.kind, counts.amount from cohort_counts as counts
        where counts.cohort_id = ${cohortId} and counts.kind in ('subjects', 'withdrawn')
        union all
        select recent.kind, recent.amount from recent where recent.kind <> 'visit') as parts)
    select counted.visit, counted.subjects::bigint as subjects from counted
    where counted.subjects > 0 and counted.subjects * 5 >= (select present.subjects from present)
    order by counted.subjects desc, counted.visit limit ${sql.lit(maxVisits)}`.execute(db);
  return rows;
}

/** The subjects whose experiments show the order of the visits. */
const sampled = 50;

const { compare } = new Intl.Collator('en', { numeric: true });

/** In the order of the scan dates of the first subjects, or in which their experiments were created. Others follow by name. */
export async function orderVisits(db: Db, cohortId: number, visits: readonly Visit[]): Promise<Visit[]> {
  const { rows } = await sql<{ visit: string; place: number }>`
    select found.visit, avg(found.place)::float8 as place from (
      select visit_of(sample.label, experiments.label) as visit, row_number() over (
        partition by sample.id order by experiments.scandate, experiments.id) as place
      from (
        select subjects.id, subjects.label from subjects
        where (subjects.cohort_id, subjects.id) > (${cohortId}::bigint, 0) and subjects.cohort_id <= ${cohortId}
        order by subjects.cohort_id, subjects.id limit ${sql.lit(sampled)}
      ) as sample cross join lateral (
        select experiments.id, experiments.label, experiments.scandate from experiments
        where experiments.subject_id = sample.id order by experiments.subject_id, experiments.id limit ${sql.lit(maxVisits)}
      ) as experiments
    ) as found group by found.visit`.execute(db);
  const places = new Map(rows.map(({ visit, place }) => [visit, place]));
  const placeOf = ({ visit }: Visit) => places.get(visit) ?? Number.MAX_VALUE;
  return visits.toSorted((a, b) => placeOf(a) - placeOf(b) || compare(a.visit, b.visit));
}
