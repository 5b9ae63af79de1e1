/** Failed runs by callback and cause: from what is counted, or of some experiments. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, inScopeOfSums, type Scope } from '../scope.ts';
import { utcWeek } from './count-experiments.ts';
import type { FigureFilter } from './read-figures.ts';

const maxOpen = 1000;
const maxCauses = 100;

export interface FailureCause {
  callback_id: number;
  callback_label: string;
  state_id: number;
  state_label: string;
  /** Null without a cause. */
  cause_key: string | null;
  cause: string | null;
  failures: number;
  retries: number;
  /** At most 1,000. */
  open: number;
  /** The failures by the first day of the week. */
  weeks: Record<string, number>;
}

/** The most frequent causes first, then the callbacks with the most retries. */
export function readFailures(
  db: Db,
  scope: Scope,
  filter: FigureFilter & { experimentIds?: readonly number[] | undefined },
): Promise<FailureCause[]> {
  const { workflowId, from, experimentIds } = filter;
  const parts =
    experimentIds === undefined
      ? sql`
    select counted.callback_id, counted.cause_group as cause_key, counted.week, counted.failures, counted.retries
    from states join callbacks on callbacks.state_id = states.id join insight_causes as counted on counted.callback_id = callbacks.id
    where states.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')} and counted.week >= ${from}::date`
      : ofExperiments(experimentIds, filter);
  return readCauses(db, scope, parts, experimentIds);
}

const ofExperiments = (ids: readonly number[], { workflowId, from }: FigureFilter) => sql`
  select runs.callback_id, coalesce(runs.cause_key, '') as cause_key, ${utcWeek(sql`runs.finished`)} as week,
    (runs.result in ('failed', 'timeout'))::int as failures, greatest(0, runs.attempt - 1) as retries
  from experiments join subjects on subjects.id = experiments.subject_id join actions on actions.experiment_id = experiments.id
  join callback_executions as runs on runs.action_id = actions.id
  where experiments.id = any(${[...ids]}::bigint[]) and experiments.workflow_id = ${workflowId} and subjects.withdrawn_at is null
    and runs.status = 'finished' and (runs.result in ('failed', 'timeout') or runs.attempt > 1)
    and ${utcWeek(sql`runs.finished`)} >= ${from}::date`;

async function readCauses(
  db: Db,
  scope: Scope,
  parts: RawBuilder<unknown>,
  experimentIds: readonly number[] | undefined,
): Promise<FailureCause[]> {
  const isOfThese = experimentIds ? sql`experiments.id = any(${[...experimentIds]}::bigint[])` : sql`true`;
  const { rows } = await sql<FailureCause>`
    with parts as materialized (${parts}), weekly as (
      select parts.callback_id, parts.cause_key, parts.week, sum(parts.failures) as failures, sum(parts.retries) as retries
      from parts group by 1, 2, 3
    ), causes as (
      select weekly.callback_id, weekly.cause_key, sum(weekly.failures)::bigint as failures, sum(weekly.retries)::bigint as retries,
        coalesce(json_object_agg(to_char(weekly.week, 'YYYY-MM-DD'), weekly.failures) filter (where weekly.failures > 0), '{}') as weeks
      from weekly group by 1, 2 having sum(weekly.failures) + sum(weekly.retries) > 0
      order by 3 desc, 4 desc, 1, 2 limit ${sql.lit(maxCauses)})
    select causes.callback_id, callbacks.label as callback_label, states.id as state_id, states.label as state_label,
      nullif(causes.cause_key, '') as cause_key, causes.failures, causes.retries, causes.weeks, example.cause, open.experiments as open
    from causes join callbacks on callbacks.id = causes.callback_id join states on states.id = callbacks.state_id
    left join lateral (
      select runs.cause from insight_runs as counted join callback_executions as runs on runs.id = counted.execution_id
      where counted.callback_id = causes.callback_id and counted.cause_group = causes.cause_key
        and ${inScope(scope, 'counted.cohort_id')} and causes.cause_key <> ''
      limit 1) as example on true
    cross join lateral (
      select count(*)::int as experiments from (
        select from incidents join experiments on experiments.id = incidents.experiment_id
        where incidents.closed_at is null and incidents.cause_group is not null
          and incidents.cause_group = causes.callback_id || '-' || coalesce(nullif(causes.cause_key, ''), 'none')
          and ${inScope(scope, 'experiments.cohort_id')} and ${isOfThese} limit ${sql.lit(maxOpen)}) as one) as open
    order by causes.failures desc, causes.retries desc, causes.callback_id, causes.cause_key`.execute(db);
  return rows;
}
