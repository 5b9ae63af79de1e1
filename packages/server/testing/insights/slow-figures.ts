/**
 * The figures of `GET /insights` by slow queries: they follow each experiment from action to action, without what workers count. The latest
 * stays are in slow-stays.ts.
 */
import { forecast, isTooShort, testForecasts } from '../../src/engine/insights/forecast.ts';
import { dayAfter } from '../../src/engine/insights/weeks.ts';

export type Sql = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

export interface Wanted {
  workflowId: number;
  /** The Mondays of the period. */
  weeks: readonly string[];
  /** Null for all cohorts. */
  cohortId: number | null;
  /** The experiments of the cohort are those of a query. */
  isQuery: boolean;
}

/** Each action that is no retry, with the state and time before. $1 is the workflow, and $2 the cohort. */
const moved = `moved as (
  select experiments.id as experiment_id, experiments.cohort_id, destination_state_id as state_id, start_time, sequence,
    start_time at time zone 'UTC' as at,
    lead(start_time at time zone 'UTC') over own as left_at, lag(destination_state_id) over own as from_id, lag(start_time) over own as since
  from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
  join subjects on subjects.id = subject_id
  where retry_of is null and withdrawn_at is null and experiments.workflow_id = $1 and experiments.cohort_id = coalesce($2, experiments.cohort_id)
  window own as (partition by experiment_id order by sequence))`;

const finals = `finals as (
  select id from states where workflow_id = $1 and not exists (
    select from transitions where source_state_id = states.id and kind = 'defined' and (states.retired or not transitions.retired)))`;

const flow = `with ${moved}, ${finals}, week as (select first::date, place from unnest($3::text[]) with ordinality as one (first, place))
  select week.first::text as week, states.label as state, states.id in (table finals) as final,
    count(*) filter (where from_id is null and at >= first and at < first + 7)::int as arrived,
    count(*) filter (where at >= first and at < first + 7)::int as entered,
    count(*) filter (where at >= first and at < first + 7 and states.id in (table finals)
      and (from_id is null or from_id not in (table finals)))::int as finished,
    count(*) filter (where left_at >= first and left_at < first + 7)::int as left,
    count(*) filter (where at < first + 7 and (left_at is null or left_at >= first + 7))::int as experiments
  from week cross join states join moved on state_id = states.id group by place, first, states.id order by place, states.position`;

const traffic = `with ${moved}
  select source.label as source, destination.label as destination, count(*)::int as moves
  from moved join states as source on source.id = from_id join states as destination on destination.id = state_id
  where at >= $3::date group by source.id, destination.id order by source.position, destination.position`;

const part = (of: number) =>
  `percentile_disc(${of}) within group (order by seconds) filter (where seconds is not null)`;

/** With the seconds that the present experiments have been in the state, up to now. */
const stays = `with ${moved}, ${finals}, stay as (
    select from_id as state_id, extract(epoch from start_time - since)::float8 as seconds, null::timestamptz as present
    from moved where from_id is not null and at >= $3::date
    union all select state_id, null, start_time from moved where left_at is null)
  select states.label as state, states.id in (table finals) as final, count(seconds)::int as stays, coalesce(sum(seconds), 0) as total_seconds,
    ${part(0.1)} as p10_seconds, ${part(0.25)} as p25_seconds, ${part(0.5)} as median_seconds, ${part(0.75)} as p75_seconds, ${part(0.9)} as p90_seconds,
    count(present)::int as experiments, case when states.id in (table finals) then null else min(present) end as oldest_entered_at,
    case when states.id in (table finals) then 0 else coalesce(sum(extract(epoch from now() - present)), 0)::float8 end as present_seconds,
    states.id not in (table finals) and (states.decision is not null or not exists (
      select from transitions where source_state_id = states.id and kind = 'defined' and not retired and by <> 'person')) as waits_for_decision
  from states left join stay on stay.state_id = states.id where states.workflow_id = $1 and (not states.retired or stay.state_id is not null)
  group by states.id order by states.position`;

const failures = `with failed as (
    select runs.*, coalesce(cause_key, '') as key, date_trunc('week', finished at time zone 'UTC')::date::text as week,
      result in ('failed', 'timeout') as is_failure, greatest(0, attempt - 1) as retried
    from callback_executions as runs join actions on actions.id = action_id join experiments on experiments.id = experiment_id
    join subjects on subjects.id = subject_id
    where status = 'finished' and (result in ('failed', 'timeout') or attempt > 1) and withdrawn_at is null and experiments.workflow_id = $1
      and experiments.cohort_id = coalesce($2, experiments.cohort_id) and finished at time zone 'UTC' >= $3::date)
  select callbacks.label as callback, states.label as state, case when key <> '' then failed.callback_id || '-' || key end as cause_group,
    array(select cause from callback_executions as alike where alike.callback_id = failed.callback_id and alike.cause_key = key) as causes, count(*) filter (where is_failure)::int as failures, sum(retried)::int as retries,
    coalesce(array_agg(week) filter (where is_failure), '{}') as weeks, (
      select count(*)::int from incidents join experiments on experiments.id = experiment_id
      where closed_at is null and cause_group = failed.callback_id || '-' || coalesce(nullif(key, ''), 'none')
        and cohort_id = coalesce($2, cohort_id)) as open
  from failed join callbacks on callbacks.id = failed.callback_id join states on states.id = callbacks.state_id
  group by callbacks.id, states.id, failed.callback_id, key order by 5 desc, 6 desc, failed.callback_id, key limit 100`;

/** By week, the experiments that entered final states without those that left them. Those that were created in one do not count. */
const progress = `with ${moved}, ${finals}, latest as (
    select cohort_id, count(*)::int as experiments, count(*) filter (where state_id in (table finals))::int as finished
    from moved where left_at is null group by 1)
  select cohorts.label as cohort, latest.experiments, latest.finished, min(moved.at)::date::text as began,
    coalesce(json_object_agg(distinct weekly.week, weekly.finished) filter (where weekly.week is not null), '{}') as weeks
  from latest join cohorts on cohorts.id = latest.cohort_id join moved on moved.cohort_id = cohorts.id left join (
    select cohort_id, date_trunc('week', at)::date::text as week,
      sum((state_id in (table finals))::int - (from_id in (table finals))::int)::int as finished
    from moved where from_id is not null group by 1, 2) as weekly on weekly.cohort_id = cohorts.id
  group by cohorts.id, latest.experiments, latest.finished order by cohorts.label limit 100`;

interface Progress {
  cohort: string;
  experiments: number;
  finished: number;
  began: string;
  weeks: Record<string, number>;
}

/** The forecast itself is the one of the engine, from the weeks of the slow query. */
function forecastOf({ weeks, began, ...row }: Progress, thisWeek: string) {
  const history = Array.from({ length: 52 }, (_, index) => dayAfter(thisWeek, index - 52))
    .filter((week) => dayAfter(week, 1) > began)
    .map((week) => Math.max(0, weeks[week] ?? 0));
  const isDone = row.experiments === row.finished;
  const range = isDone ? undefined : forecast(history, row.experiments - row.finished);
  const { tests, inRange } = testForecasts(isDone ? [] : history);
  const today = new Date().toISOString().slice(0, 10);
  const days = range && Object.entries(range).map(([name, after]) => [name, dayAfter(today, Number(after))]);
  const isShort = !isDone && isTooShort(history);
  return { ...row, forecast: days ? Object.fromEntries(days) : null, isShort, tests, tests_in_range: inRange };
}

export interface SlowStay {
  state: string;
  final: boolean;
  stays: number;
  total_seconds: number;
  p10_seconds: number | null;
  p25_seconds: number | null;
  median_seconds: number | null;
  p75_seconds: number | null;
  p90_seconds: number | null;
  experiments: number;
  oldest_entered_at: Date | null;
  present_seconds: number;
  waits_for_decision: boolean;
}

export async function slowFigures(sql: Sql, { workflowId, weeks, cohortId }: Wanted) {
  const from = weeks[0] ?? '';
  const failed = await sql<{ causes: string[]; weeks: string[] }>(failures, [workflowId, cohortId, from]);
  const cohorts = await sql<Progress>(progress, [workflowId, cohortId]);
  return {
    flow: await sql<{ entered: number; left: number; experiments: number }>(flow, [workflowId, cohortId, weeks]),
    traffic: await sql(traffic, [workflowId, cohortId, from]),
    stays: await sql<SlowStay>(stays, [workflowId, cohortId, from]),
    failures: failed.map((row) => ({
      ...row,
      weeks: weeks.map((week) => row.weeks.filter((one) => one === week).length),
    })),
    forecasts: cohorts.map((row) => forecastOf(row, weeks.at(-1) ?? '')),
  };
}
