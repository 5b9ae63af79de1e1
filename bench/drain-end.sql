-- The rows that the end of an execution writes. It also ends the action, and no transition for the engine leads on.
with workflow as (
  select from workflows where workflows.id = 1 and workflows.revision = 1 for key share skip locked
), clock as materialized (
  select clock_timestamp() as now
), moved as (
  update experiments set version = experiments.version + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.cohort_id, experiments.subject_id
), attempt as (
  update execution_attempts set ended_at = clock.now, log = e'Sleeping for 0 s\n'
  from moved cross join clock
  where execution_attempts.execution_id = :execution and execution_attempts.attempt = 1
), execution as (
  update callback_executions
  set status = 'finished', result = 'success', version = callback_executions.version + 1, finished = clock.now, deadline = null,
    result_values = '{"sleep_duration": 0}',
    run_log = e'--- attempt 1 by bench:10000 at 2026-11-17T12:00:00Z\nSleeping for 0 s\n'
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
  insert into history (actor_kind, operation, object_kind, object_id, before, after, reason)
  select 'engine', 'runCallback', 'callback_execution', :execution::bigint, '{"result": "none", "status": "running"}'::jsonb,
    jsonb_build_object('status', 'finished', 'result', 'success', 'result_values', jsonb_build_object('length', 21, 'hash',
      encode(sha256(personal_key('subject', moved.subject_id) || sha256('{"sleep_duration": 0}')), 'hex'))), ''
  from moved
  union all
  select 'engine', 'endAction', 'experiment', moved.id, null,
    jsonb_build_object('action_id', :action::bigint, 'success', true), ''
  from moved
)
insert into events (kind, object_kind, object_id, cohort_id, data)
select 'runCallback', 'callback_execution', :execution::bigint, moved.cohort_id, '{"result": "success", "status": "finished"}'::jsonb
from moved
union all
select 'endAction', 'experiment', moved.id, moved.cohort_id,
  jsonb_build_object('action_id', :action::bigint, 'success', true)
from moved
