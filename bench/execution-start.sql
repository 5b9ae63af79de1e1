-- The rows that the start of one execution writes.
with clock as materialized (
  select clock_timestamp() as now
), workflow as (
  select from workflows where workflows.id = 1 for key share skip locked
), raised as (
  update experiments set version = experiments.version + 1
  where experiments.id = :id and exists (select from workflow)
  returning experiments.id, experiments.cohort_id
), started as (
  update callback_executions
  set status = 'running', attempt = 1, version = callback_executions.version + 1, run_start = clock.now,
    deadline = clock.now + interval '60 minutes'
  from raised cross join clock
  where callback_executions.id = :execution
  returning callback_executions.id
), attempt as (
  insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at)
  select started.id, 1, sha256('secret'), 'bench:10000', clock.now, clock.now from started cross join clock
), noted as (
  insert into queue_starts (queue, workflow_id, bulk, runs, at)
  select :queue, 1, false, 1, clock.now from started cross join clock
), announced as (
  insert into events (kind, object_kind, object_id, cohort_id, data)
  select 'startExecution', 'callback_execution', started.id, raised.cohort_id,
    jsonb_build_object('attempt', 1, 'experiment_id', raised.id)
  from started cross join raised
)
delete from pgboss.job_common using started
where job_common.name = :queue and job_common.id = lpad(to_hex(started.id), 32, '0')::uuid
