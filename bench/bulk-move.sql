-- The rows that a bulk move writes for all experiments of an operation, in one statement.
with workflow as (
  select from workflows where workflows.id = 1 and workflows.revision = 1 for key share skip locked
), item as (
  update bulk_items set result = 'done' where bulk_items.operation_id = :operation and bulk_items.result = 'ready'
  returning bulk_items.experiment_id
), moved as (
  update experiments
  set state_id = 2, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1
  from item where experiments.id = item.experiment_id and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id
), action as (
  insert into actions (experiment_id, sequence, transition_id, actor_kind, actor_id, freetext, bulk)
  select moved.id, moved.action_sequence, 2, 'user', 1, 'Bench', true from moved
  returning actions.id, actions.experiment_id, actions.start_time
), execution as (
  insert into callback_executions (action_id, callback_id, callback_version)
  select action.id, 1, 1 from action
  returning callback_executions.id, callback_executions.created
), job as (
  insert into pgboss.job_common
    (id, name, data, priority, group_id, created_on, start_after, keep_until, retry_limit, expire_seconds, policy)
  select lpad(to_hex(execution.id), 32, '0')::uuid, 'pull/bench', jsonb_build_object('execution_id', execution.id), -1, '1',
    execution.created, execution.created, execution.created + interval '14 days', 1000000, 30, 'standard'
  from execution
), counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select 1, moved.cohort_id, -count(*) from moved group by moved.cohort_id
  union all select 2, moved.cohort_id, count(*) from moved group by moved.cohort_id
), recorded as (
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  select 'user', 1, '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11', 'setExperimentState', 'experiment', moved.id, '{"state":"resting"}',
    jsonb_build_object('state', 'working', 'state_id', 2, 'transition_id', 2, 'action_id', action.id), 'Bench'
  from moved join action on action.experiment_id = moved.id
), announced as (
  insert into events (kind, object_kind, object_id, cohort_id, data)
  select 'setExperimentState', 'experiment', moved.id, moved.cohort_id, jsonb_build_object('state', 'working', 'state_id', 2,
    'transition_id', 2, 'from_state_id', 1, 'action_id', action.id, 'bulk_operation_id', :operation)
  from moved join action on action.experiment_id = moved.id
)
update bulk_operations set status = 'finished', ended_at = clock_timestamp(), ready = 0, done = experiments - refused
where bulk_operations.id = :operation
