/**
 * Jobs are rows of pg-boss's table, inserted by the statement that creates their executions. `send` of pg-boss would need another
 * round trip with a long statement (measured: 3,000 per second instead of 5,000). A test compares these rows with those of
 * pg-boss. A job only starts an attempt; the execution's row is the source of truth.
 */
import { sql, type RawBuilder } from 'kysely';
import { queueOptions } from '../database/queue-schema.ts';
import { priorities } from './priorities.ts';

/** The retention of pg-boss for unclaimed jobs. Executions that are still open get a new job from engine/runs/recover-lost-work.ts. */
const keptDays = 14;

/** A job's id is derived from its execution's id, so an execution has at most one job. */
const jobId = (executionId: string) => sql`lpad(to_hex(${sql.ref(executionId)}), 32, '0')::uuid`;

/**
 * `from` selects execution_id, queue, workflow_id, bulk, due and pause. `due` is when the attempt can start. It is stored as
 * created_on, which orders the jobs of a workflow, so that a job that is inserted again keeps its place. `pause` is in seconds and
 * counts from now, not from the start of the transaction, which may have waited: a job that starts too early finds nothing to do.
 * An existing job is rescheduled. `traced`: `from` also selects traceparent, where the attempt belongs in a trace. If a job is lost, its
 * attempt begins a new trace.
 */
export const insertJobs = (
  from: RawBuilder<unknown>,
  { traced = false }: { traced?: boolean } = {},
): RawBuilder<unknown> => sql`
  insert into pgboss.job_common
    (id, name, data, priority, group_id, created_on, start_after, keep_until, retry_limit, expire_seconds, policy)
  select ${jobId('wanted.execution_id')}, wanted.queue, jsonb_build_object('execution_id', wanted.execution_id${traced ? sql`, 'traceparent', wanted.traceparent` : sql``}),
    case when wanted.bulk then ${sql.lit(priorities.bulk)} else ${sql.lit(priorities.single)} end, wanted.workflow_id::text,
    wanted.due, greatest(wanted.due, clock_timestamp() + wanted.pause * interval '1 second'),
    greatest(wanted.due, clock_timestamp()) + ${sql.lit(keptDays)} * interval '1 day',
    ${sql.lit(queueOptions.retryLimit)}, ${sql.lit(queueOptions.expireInSeconds)}, 'standard'
  from (${from}) as wanted (execution_id, queue, workflow_id, bulk, due, pause${traced ? sql`, traceparent` : sql``})
  on conflict (name, id) do update
  set state = 'created', priority = excluded.priority, group_id = excluded.group_id, created_on = excluded.created_on,
    start_after = excluded.start_after, keep_until = excluded.keep_until, started_on = null`;
/** `from` selects execution_id and queue. */
export const deleteJobs = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from pgboss.job_common using (${from}) as done (execution_id, queue)
  where job_common.name = done.queue and job_common.id = ${jobId('done.execution_id')}`;

/**
 * Whether an execution has a job that will start it. The arguments are column names. A taken job counts for one minute: its
 * worker starts the attempt immediately or has died.
 */
export const hasJob = (executionId: string, queue: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from pgboss.job_common where job_common.name = ${sql.ref(queue)} and job_common.id = ${jobId(executionId)}
    and (job_common.state in ('created', 'retry')
      or (job_common.state = 'active' and job_common.started_on > now() - interval '1 minute')))`;

/** A queue must exist before its first job is inserted. */
export const ensureQueues = (names: readonly string[]): RawBuilder<unknown> => sql`
  select pgboss.create_queue(wanted.name, ${JSON.stringify({ ...queueOptions, policy: 'standard' })}::jsonb)
  from unnest(${names}::text[]) as wanted (name)
  where not exists (select from pgboss.queue where queue.name = wanted.name)`;
