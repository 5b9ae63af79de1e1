-- The rows that the move back writes: it supersedes the action, whose execution has not started.
with workflow as (
  select from workflows where workflows.id = 1 and workflows.revision = 1 for key share skip locked
), clock as materialized (
  select clock_timestamp() as now
), moved as (
  update experiments
  set state_id = 1, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id
), action as (
  insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind, actor_id)
  select moved.id, moved.action_sequence, 3, clock.now, clock.now, true, 'No callback for state', 'user', 1
  from moved cross join clock
  returning actions.id
), skipped as (
  update callback_executions
  set status = 'skipped', finished = clock.now, version = callback_executions.version + 1
  from action cross join clock
  where callback_executions.id = :execution
), job as (
  delete from pgboss.job_common using action
  where job_common.name = 'pull/bench' and job_common.id = lpad(to_hex(:execution::bigint), 32, '0')::uuid
), superseded as (
  update actions
  set end_time = clock.now, return_value = json_build_object('superseded_by', action.id)::text, version = actions.version + 1
  from action cross join clock
  where actions.id = :action
), counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select 2, moved.cohort_id, -1 from moved union all select 1, moved.cohort_id, 1 from moved
), recorded as (
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  select 'user', 1, :request_id, 'setExperimentState', 'experiment', moved.id, '{"state":"working"}',
    jsonb_build_object('state', 'resting', 'state_id', 1, 'transition_id', 3, 'action_id', action.id), ''
  from moved cross join action
), announced as (
  insert into events (kind, object_kind, object_id, cohort_id, data)
  select 'setExperimentState', 'experiment', moved.id, moved.cohort_id,
    jsonb_build_object('state', 'resting', 'state_id', 1, 'transition_id', 3, 'from_state_id', 2, 'action_id', action.id)
  from moved cross join action
)
select action.id as action from action
