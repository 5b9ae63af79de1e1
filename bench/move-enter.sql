-- The rows that a move into the state with the callback writes.
with workflow as (
  select from workflows where workflows.id = 1 and workflows.revision = 1 for key share skip locked
), moved as (
  update experiments
  set state_id = 2, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id
), action as (
  insert into actions (experiment_id, sequence, transition_id, actor_kind, actor_id)
  select moved.id, moved.action_sequence, 2, 'user', 1 from moved
  returning actions.id, actions.start_time
), execution as (
  insert into callback_executions (action_id, callback_id, callback_version)
  select action.id, 1, 1 from action
  returning callback_executions.id
), job as (
  insert into pgboss.job_common
    (id, name, data, priority, group_id, created_on, start_after, keep_until, retry_limit, expire_seconds, policy)
  select lpad(to_hex(execution.id), 32, '0')::uuid, 'pull/bench', jsonb_build_object('execution_id', execution.id), 0, '1',
    action.start_time, action.start_time, action.start_time + interval '14 days', 1000000, 30, 'standard'
  from execution cross join action
), counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select 1, moved.cohort_id, -1 from moved union all select 2, moved.cohort_id, 1 from moved
), recorded as (
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  select 'user', 1, :request_id, 'setExperimentState', 'experiment', moved.id, '{"state":"resting"}',
    jsonb_build_object('state', 'working', 'state_id', 2, 'transition_id', 2, 'action_id', action.id), ''
  from moved cross join action
), announced as (
  insert into events (kind, object_kind, object_id, cohort_id, data)
  select 'setExperimentState', 'experiment', moved.id, moved.cohort_id,
    jsonb_build_object('state', 'working', 'state_id', 2, 'transition_id', 2, 'from_state_id', 1, 'action_id', action.id)
  from moved cross join action
)
select action.id as action, execution.id as execution from action cross join execution
