-- The figures of Insights, counted from actions and runs by a task of the workers (docs/decisions/0051).
--
-- A move writes none of these tables: the task follows the events and counts what is new of each experiment. All figures follow from
-- actions and runs, so they can be deleted and counted again at any time.
--
-- Sizes: one narrow row for each experiment, one for each run that failed or was retried, and rows by cohort, transition or state, and day or
-- week. The cohort 0 has the sums of all cohorts.

-- How far the events and, while the figures are rebuilt, the experiments are counted. One row.
create table insight_progress (
  one boolean default true constraint insight_progress_pk primary key,
  xid xid8 not null,
  event_id bigint not null,
  rebuilt_to bigint, -- the last experiment that was counted again. Null: all were
  counted_at timestamptz(3), -- changes up to this time are counted
  constraint insight_progress_one_check check (one)
);
insert into insight_progress (xid, event_id, rebuilt_to) values (pg_snapshot_xmin(pg_current_snapshot()), 0, 0);

-- The experiments that are counted, with the cohort and the state in which they are, since when, and up to which action.
create table insight_experiments (
  experiment_id bigint constraint insight_experiments_pk primary key,
  cohort_id bigint not null,
  sequence bigint not null,
  state_id bigint not null,
  entered_at timestamptz(3) not null
) with (fillfactor = 70);
-- The one that has been in a state for the longest time.
create index insight_experiments_oldest_index on insight_experiments (state_id, cohort_id, entered_at);

-- Moves, corrections and creations by day (UTC), with the time spent in the states that they left.
create table insight_moves (
  cohort_id bigint not null,
  transition_id bigint not null,
  day date not null,
  moves bigint not null,
  stayed_ms bigint not null,
  constraint insight_moves_pk primary key (cohort_id, transition_id, day)
) with (fillfactor = 70); -- updates stay on their page

-- The experiments in each state, with the sum of the times at which they entered it, in seconds since 1970. So the time that they have
-- been in it is known at any moment.
create table insight_levels (
  cohort_id bigint not null,
  state_id bigint not null,
  experiments bigint not null,
  entered_s bigint not null,
  constraint insight_levels_pk primary key (cohort_id, state_id)
) with (fillfactor = 70);
-- The cohorts with experiments of a workflow.
create index insight_levels_state_index on insight_levels (state_id, cohort_id);

-- Ended stays by week and length: round(33 * ln(milliseconds)), so that a length is within 1.6 %.
create table insight_stays (
  cohort_id bigint not null,
  state_id bigint not null,
  week date not null,
  bucket smallint not null,
  stays bigint not null,
  constraint insight_stays_pk primary key (cohort_id, state_id, week, bucket)
) with (fillfactor = 70);

-- The runs that are counted: those that failed, timed out or were retried.
create table insight_runs (
  execution_id bigint constraint insight_runs_pk primary key,
  experiment_id bigint not null,
  cohort_id bigint not null,
  callback_id bigint not null,
  cause_group text not null collate "C", -- empty without a cause
  week date not null,
  failures bigint not null,
  retries bigint not null
);
-- Those of an experiment that changes cohort or withdraws.
create index insight_runs_experiment_index on insight_runs (experiment_id);
-- An example of each cause.
create index insight_runs_cause_index on insight_runs (callback_id, cause_group, cohort_id, execution_id);

-- The same by cause and week.
create table insight_causes (
  cohort_id bigint not null,
  callback_id bigint not null,
  cause_group text not null collate "C",
  week date not null,
  failures bigint not null,
  retries bigint not null,
  constraint insight_causes_pk primary key (cohort_id, callback_id, cause_group, week)
) with (fillfactor = 70);

-- Deletes all figures, so that the task counts everything again.
create function rebuild_insights() returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from insight_progress for update;
  truncate insight_experiments, insight_moves, insight_levels, insight_stays, insight_runs, insight_causes;
  update insight_progress set rebuilt_to = 0, xid = pg_snapshot_xmin(pg_current_snapshot()), event_id = 0;
end $$;
revoke execute on function rebuild_insights() from public;
