-- What happened to experiments: actions (the moves), the executions of callbacks they caused, the attempts of those, and
-- incidents that need somebody's attention.
--
-- Sizes: 100 M actions, 100 M executions, some more attempts. All lists of open things use partial indexes, whose size
-- follows what is open and not what ever was.
--
-- Times are in order or the row is refused. Writers therefore use clock_timestamp() and never less than the time before
-- (`greatest`): now() is when the transaction began, which can lie before the row it waited for was made, and clocks are
-- set back at times.

create table actions (
  id bigint generated always as identity constraint actions_pk primary key,
  experiment_id bigint not null,
  sequence bigint not null,
  transition_id bigint not null,
  start_time timestamptz(3) not null default clock_timestamp(),
  end_time timestamptz(3), -- can be corrected by hand, so whether an action is open is asked of its executions
  success boolean not null default false,
  return_value text not null default '',
  freetext text not null default '',
  retry_of bigint,
  carried bigint[] not null default '{}', -- executions of earlier actions whose outcome a retry keeps
  actor_kind text not null,
  actor_id bigint,
  inputs jsonb, -- what the conditions saw when the action ended
  version bigint not null default 1,
  -- One line of actions per experiment; finds them in order, the latest first or last.
  constraint actions_sequence_unique unique (experiment_id, sequence),
  constraint actions_experiment_fk foreign key (experiment_id) references experiments (id),
  constraint actions_transition_fk foreign key (transition_id) references transitions (id),
  constraint actions_retry_of_fk foreign key (retry_of) references actions (id),
  constraint actions_sequence_check check (sequence >= 1),
  constraint actions_times_check check (end_time >= start_time),
  constraint actions_success_check check (not success or end_time is not null),
  constraint actions_retry_check check (retry_of < id),
  constraint actions_freetext_check check (char_length(freetext) <= 10000),
  constraint actions_actor_kind_check check (actor_kind in ('user', 'execution', 'engine', 'operator')),
  constraint actions_actor_id_check check ((actor_id is not null) = (actor_kind in ('user', 'execution')))
);

create table callback_executions (
  id bigint generated always as identity constraint callback_executions_pk primary key,
  action_id bigint not null,
  callback_id bigint not null,
  callback_version integer not null,
  status text not null default 'queued',
  result text not null default 'none',
  created timestamptz(3) not null default clock_timestamp(),
  run_start timestamptz(3), -- of the first attempt
  wait_start timestamptz(3),
  finished timestamptz(3),
  deadline timestamptz(3), -- when the run or the wait is over by timeout; null without one
  result_values jsonb not null default '{}',
  run_log text not null default '',
  result_log text not null default '',
  attempt integer not null default 0,
  failures integer not null default 0, -- attempts that failed for a passing reason
  next_attempt_at timestamptz(3), -- also the end of the initial delay
  last_error text,
  version bigint not null default 1,
  -- Each callback once per action, whatever its version; finds the executions of an action.
  constraint callback_executions_callback_unique unique (action_id, callback_id),
  constraint callback_executions_action_fk foreign key (action_id) references actions (id),
  constraint callback_executions_version_fk foreign key (callback_id, callback_version)
    references callback_versions (callback_id, version),
  constraint callback_executions_status_check
    check (status in ('created', 'queued', 'running', 'waiting', 'finished', 'skipped')),
  constraint callback_executions_result_check check (result in ('none', 'success', 'failed', 'timeout')),
  constraint callback_executions_resolved_result_check check (result = 'none' or status = 'finished'),
  constraint callback_executions_finished_check check ((finished is not null) = (status in ('finished', 'skipped'))),
  constraint callback_executions_not_started_check
    check (status not in ('created', 'queued') or (run_start is null and wait_start is null)),
  constraint callback_executions_running_check
    check (status <> 'running' or (run_start is not null and wait_start is null)),
  constraint callback_executions_waiting_check check (status <> 'waiting' or wait_start is not null),
  constraint callback_executions_times_check check (
    run_start >= created
    and wait_start >= coalesce(run_start, created)
    and finished >= coalesce(wait_start, run_start, created)
  ),
  constraint callback_executions_deadline_check check (deadline is null or status in ('running', 'waiting')),
  constraint callback_executions_next_attempt_check
    check (next_attempt_at is null or status in ('created', 'queued', 'running')),
  constraint callback_executions_attempt_check check (attempt >= 0 and failures between 0 and attempt),
  constraint callback_executions_result_values_check check (jsonb_typeof(result_values) = 'object')
) with (
  -- Every execution is updated a few times soon after its insert: room on the page for logs and attempts.
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- The executions of a callback, ordered by id: up to millions, shown with the callback.
create index callback_executions_callback_index on callback_executions (callback_id, id);
-- The sweep for timeouts, every 15 s in each worker: reads what is due and nothing else.
create index callback_executions_deadline_index on callback_executions (deadline) where deadline is not null;
-- What nobody has started yet, oldest first: unclaimed for 15 min, or without a job.
create index callback_executions_unclaimed_index on callback_executions (created) where status in ('created', 'queued');
-- Delays and runs between two attempts, by the moment they are due, for the reconciler: their job may be lost.
create index callback_executions_next_attempt_index on callback_executions (next_attempt_at)
  where next_attempt_at is not null;

create table execution_attempts (
  execution_id bigint not null,
  attempt integer not null,
  secret_hash bytea not null,
  worker text not null default '',
  started_at timestamptz(3) not null default clock_timestamp(),
  heartbeat_at timestamptz(3),
  ended_at timestamptz(3),
  error text,
  log text not null default '',
  constraint execution_attempts_pk primary key (execution_id, attempt),
  constraint execution_attempts_execution_fk foreign key (execution_id) references callback_executions (id),
  constraint execution_attempts_attempt_check check (attempt >= 1),
  constraint execution_attempts_secret_hash_check check (octet_length(secret_hash) = 32),
  constraint execution_attempts_times_check check (heartbeat_at >= started_at and ended_at >= started_at)
) with (fillfactor = 80);

-- Attempts that run now, for the reconciler: which execution has no live attempt. Heartbeats are not in it, so that they
-- touch no index.
create index execution_attempts_open_index on execution_attempts (execution_id) where ended_at is null;

create table incidents (
  id bigint generated always as identity constraint incidents_pk primary key,
  experiment_id bigint not null,
  kind text not null,
  opened_at timestamptz(3) not null default clock_timestamp(),
  closed_at timestamptz(3),
  action_id bigint,
  execution_id bigint,
  detail text not null default '',
  constraint incidents_experiment_fk foreign key (experiment_id) references experiments (id),
  constraint incidents_action_fk foreign key (action_id) references actions (id),
  constraint incidents_execution_fk foreign key (execution_id) references callback_executions (id),
  constraint incidents_kind_check check (kind in ('brake', 'unclaimed', 'failed', 'timed_out', 'no_way_on')),
  constraint incidents_times_check check (closed_at >= opened_at)
);

-- At most one open of a kind; finds those that the next action closes, and whether the brake is on.
create unique index incidents_open_unique on incidents (experiment_id, kind) where closed_at is null;
-- What needs attention now, in pages ordered by id.
create index incidents_open_index on incidents (id) where closed_at is null;
-- All incidents of an experiment, in pages ordered by id; also when its brake was last released.
create index incidents_experiment_index on incidents (experiment_id, id);
-- Those of one kind, in pages ordered by id: a brake is rare among failures, whether one looks at the open ones or at all.
create index incidents_kind_index on incidents (kind, id);
create index incidents_open_kind_index on incidents (kind, id) where closed_at is null;
