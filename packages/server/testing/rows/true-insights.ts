/** The figures of Insights by slow queries over all actions and runs, to compare them with what is counted. */
type Sql = <T extends object>(text: string, values?: unknown[]) => Promise<T[]>;

/** Follows each experiment from action to action. Each row counts in its cohort and in cohort 0, which has all. */
const entered = `entered as (
  select experiments.id as experiment_id, cohorts.id as cohort_id, transitions.id as transition_id, destination_state_id as state_id, start_time,
    sequence = 1 and kind = 'correction' as placed,
    lag(destination_state_id) over own as left_id, lag(start_time) over own as since
  from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
  join subjects on subjects.id = subject_id cross join lateral (values (experiments.cohort_id), (0)) as cohorts (id)
  where retry_of is null and withdrawn_at is null
  window own as (partition by experiment_id, cohorts.id order by sequence))`;

const slow = {
  moves: `with ${entered}
    select cohort_id::int, transition_id::int, (start_time at time zone 'UTC')::date::text as day, placed, count(*)::int as moves,
      coalesce(sum((extract(epoch from start_time - since) * 1000)::bigint), 0)::text as stayed_ms
    from entered group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  levels: `select cohorts.id::int as cohort_id, latest.state_id::int, count(*)::int as experiments,
      sum(extract(epoch from start_time)::bigint)::text as entered_s, min(start_time) as oldest from (
      select distinct on (experiment_id) experiment_id, destination_state_id as state_id, start_time from actions
      join transitions on transitions.id = transition_id where retry_of is null order by experiment_id, sequence desc) latest
    join experiments on experiments.id = experiment_id join subjects on subjects.id = subject_id and withdrawn_at is null
    cross join lateral (values (experiments.cohort_id), (0)) as cohorts (id)
    group by 1, 2 order by 1, 2`,
  stays: `with ${entered}
    select cohort_id::int, left_id::int as state_id, date_trunc('week', start_time at time zone 'UTC')::date::text as week,
      round(33 * ln(greatest(1, extract(epoch from start_time - since) * 1000)))::int as bucket, count(*)::int as stays
    from entered where left_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  causes: `select cohorts.id::int as cohort_id, callback_id::int, coalesce(cause_key, '') collate "C" as cause_group,
      date_trunc('week', finished at time zone 'UTC')::date::text as week,
      count(*) filter (where result in ('failed', 'timeout'))::int as failures, sum(greatest(0, attempt - 1))::int as retries
    from callback_executions join actions on actions.id = action_id join experiments on experiments.id = experiment_id
    join subjects on subjects.id = subject_id and withdrawn_at is null
    cross join lateral (values (experiments.cohort_id), (0)) as cohorts (id)
    where status = 'finished' and (result in ('failed', 'timeout') or attempt > 1)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
};

const counted = {
  moves: `select cohort_id::int, transition_id::int, day::text, placed, moves::int, stayed_ms::text from insight_moves
    where moves <> 0 or stayed_ms <> 0 order by 1, 2, 3, 4`,
  levels: `select cohort_id::int, state_id::int, experiments::int, entered_s::text,
      (select min(entered_at) from insight_experiments as own where own.state_id = levels.state_id and levels.cohort_id in (0, own.cohort_id)) as oldest
    from insight_levels as levels where experiments <> 0 or entered_s <> 0 order by 1, 2`,
  stays: `select cohort_id::int, state_id::int, week::text, bucket::int, stays::int from insight_stays
    where stays <> 0 order by 1, 2, 3, 4`,
  causes: `select cohort_id::int, callback_id::int, cause_group, week::text, failures::int, retries::int from insight_causes
    where failures <> 0 or retries <> 0 order by 1, 2, 3, 4`,
};

type Tables = Record<keyof typeof slow, object[]>;

const readAll = async (sql: Sql, queries: Record<keyof typeof slow, string>): Promise<Tables> => ({
  moves: await sql(queries.moves),
  levels: await sql(queries.levels),
  stays: await sql(queries.stays),
  causes: await sql(queries.causes),
});

export const trueInsights = (sql: Sql): Promise<Tables> => readAll(sql, slow);
export const countedInsights = (sql: Sql): Promise<Tables> => readAll(sql, counted);
