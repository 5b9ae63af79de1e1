/**
 * Jobs are rows of pg-boss's table, inserted by the statement that makes their executions: `send` of pg-boss would be a
 * round trip of its own with a long statement (measured: 3,000 a second against 5,000). A test holds these rows against
 * those that pg-boss makes. A job only starts an attempt; the execution's row is the truth.
 */
import { sql, type RawBuilder } from 'kysely';
import { queueOptions } from '../database/queue-schema.ts';

/** As long as pg-boss keeps what nobody takes; the reconciler gives a new one to those that are still open then. */
const keptDays = 14;

/** The job of an execution has the execution's number as its id: there is one or none, and it is found by it. */
const jobId = (executionId: string) => sql`lpad(to_hex(${sql.ref(executionId)}), 32, '0')::uuid`;

/**
 * Delays count from now and not from the beginning of the transaction: it may have waited long, and a job that comes early
 * finds nothing to do. `from` selects execution_id, queue and delay (in seconds). A job that is there already is put off or
 * forward.
 */
export const insertJobs = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into pgboss.job_common (id, name, data, start_after, keep_until, retry_limit, expire_seconds, policy)
  select ${jobId('wanted.execution_id')}, wanted.queue, jsonb_build_object('execution_id', wanted.execution_id),
    clock_timestamp() + wanted.delay * interval '1 second', clock_timestamp() + wanted.delay * interval '1 second' + ${sql.lit(keptDays)} * interval '1 day',
    ${sql.lit(queueOptions.retryLimit)}, ${sql.lit(queueOptions.expireInSeconds)}, 'standard'
  from (${from}) as wanted (execution_id, queue, delay)
  on conflict (name, id) do update
  set state = 'created', start_after = excluded.start_after, keep_until = excluded.keep_until, started_on = null`;

/** `from` selects execution_id and queue. */
export const deleteJobs = (from: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from pgboss.job_common using (${from}) as done (execution_id, queue)
  where job_common.name = done.queue and job_common.id = ${jobId('done.execution_id')}`;

/**
 * Whether an execution has a job that will start it; the names are of columns. One that was taken counts for a minute:
 * whoever has it starts the attempt at once or is gone.
 */
export const hasJob = (executionId: string, queue: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from pgboss.job_common where job_common.name = ${sql.ref(queue)} and job_common.id = ${jobId(executionId)}
    and (job_common.state in ('created', 'retry')
      or (job_common.state = 'active' and job_common.started_on > now() - interval '1 minute')))`;

/** A queue must exist before the first job goes to it. */
export const ensureQueues = (names: readonly string[]): RawBuilder<unknown> => sql`
  select pgboss.create_queue(wanted.name, ${JSON.stringify({ ...queueOptions, policy: 'standard' })}::jsonb)
  from unnest(${names}::text[]) as wanted (name)
  where not exists (select from pgboss.queue where queue.name = wanted.name)`;
