-- The rows that the report of a pulling worker writes. It also ends the action, and no transition for the engine leads on.
with workflow as (
  select from workflows where workflows.id = 1 and workflows.revision = 1 for key share skip locked
), clock as materialized (
  select clock_timestamp() as now
), moved as (
  update experiments set version = experiments.version + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.cohort_id
), attempt as (
  update execution_attempts set ended_at = clock.now
  from moved cross join clock
  where execution_attempts.execution_id = :execution and execution_attempts.attempt = 1
), execution as (
  update callback_executions
  set status = 'finished', result = 'success', version = callback_executions.version + 1, finished = clock.now, deadline = null
  from moved cross join clock
  where callback_executions.id = :execution
), ended as (
  update actions
  set end_time = clock.now, success = true, version = actions.version + 1,
    -- pgbench would take a colon before a name for a variable.
    return_value = '[{"transition_id":3,"destination":"resting","condition":"","test_result":'
      || 'null,"reason":"Only a user can take this transition."}]',
    inputs = '{"now": "2026-11-17T12:00:00.000Z", "cohort": {"label": "bench"}, "subject": {"label": "s10000"},
      "callbacks": {"nothing": {"result": "success", "status": "finished"}},
      "experiment": {"label": "e", "state": "working", "scandate": null}}'
  from moved cross join clock
  where actions.id = :action
), recorded as (
  insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
  select 'execution', :execution::bigint, :request_id, 'updateCallbackExecution', 'callback_execution', :execution::bigint,
    '{"result": "none", "status": "running"}'::jsonb, '{"result": "success", "status": "finished"}'::jsonb, ''
  from moved
  union all
  select 'engine', null, :request_id, 'endAction', 'experiment', moved.id, null,
    jsonb_build_object('action_id', :action::bigint, 'success', true), ''
  from moved
)
insert into events (kind, object_kind, object_id, cohort_id, data)
select 'updateCallbackExecution', 'callback_execution', :execution::bigint, moved.cohort_id,
  '{"result": "success", "status": "finished"}'::jsonb
from moved
union all
select 'endAction', 'experiment', moved.id, moved.cohort_id,
  jsonb_build_object('action_id', :action::bigint, 'success', true)
from moved
