/**
 * The progress of cohorts: their experiments, those in final states, and how many entered and left final states in each week. Experiments that an
 * import creates in a final state say nothing about the pace, so the weeks leave them out.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import { isFinal } from '../experiments/resting.ts';
import { arrives } from './read-figures.ts';

const maxCohorts = 100;

export interface CohortProgress {
  id: number;
  label: string;
  experiments: number;
  finished: number;
  /** Whether it has moves before these weeks. */
  is_older: boolean;
  /** The weeks with moves, without the current week. */
  weeks: { week: string; finished: number }[];
}

/** Ordered by label. At most 100 cohorts. `from` is the first week that is read. */
export async function readCohortProgress(
  db: Db,
  scope: Scope,
  { workflowId, from }: { workflowId: number; from: string },
): Promise<CohortProgress[]> {
  const { rows } = await sql<CohortProgress>`
    with of_workflow as materialized (
      select states.id, ${isFinal} as is_final from states where states.workflow_id = ${workflowId}
    ), shown as materialized (
      select cohorts.id, cohorts.label, sum(levels.experiments)::bigint as experiments,
        coalesce(sum(levels.experiments) filter (where of_workflow.is_final), 0)::bigint as finished
      from of_workflow join insight_levels as levels on levels.state_id = of_workflow.id join cohorts on cohorts.id = levels.cohort_id
      where ${inScope(scope, 'cohorts.id')} group by cohorts.id, cohorts.label having sum(levels.experiments) > 0
      order by cohorts.label limit ${sql.lit(maxCohorts)}
    ), daily as (
      select shown.id, date_trunc('week', counted.day::timestamp)::date as week,
        case when ${arrives} then 0 else counted.moves * (to_state.is_final::int - from_state.is_final::int) end as finished
      from transitions join of_workflow as to_state on to_state.id = transitions.destination_state_id
      join of_workflow as from_state on from_state.id = transitions.source_state_id
      cross join shown join insight_moves as counted on counted.cohort_id = shown.id and counted.transition_id = transitions.id
      where transitions.workflow_id = ${workflowId} and counted.day >= ${from}::date
    ), weekly as (
      select daily.id, daily.week, sum(daily.finished)::bigint as finished from daily
      where daily.week < date_trunc('week', now() at time zone 'UTC')::date group by 1, 2)
    select shown.*, exists (
      select from transitions join insight_moves as moves on moves.cohort_id = shown.id and moves.transition_id = transitions.id
      where transitions.workflow_id = ${workflowId} and moves.day < ${from}::date) as is_older, coalesce((
      select json_agg(json_build_object('week', to_char(weekly.week, 'YYYY-MM-DD'), 'finished', weekly.finished) order by weekly.week)
      from weekly where weekly.id = shown.id), '[]') as weeks
    from shown order by shown.label`.execute(db);
  return rows;
}
