/** Finds executions for the periodic checks of workers: overdue, without a live worker, without a job, or unclaimed. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { hasJob, insertJobs } from '../../jobs/insert-jobs.ts';
import { callbackQueue } from '../../jobs/queue-names.ts';
import { leaseLimit } from './contact.ts';

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** An execution that a sweep found, and its workflow, which an import may lock. */
export interface FoundExecution {
  id: number;
  workflow_id: number;
}

/**
 * Whether the running time of the execution `one` is used up. Between two attempts it does not pass: the deadline is as long after
 * the next attempt as there is running time left.
 */
export const isOverdue = sql`one.deadline <= now() and (one.next_attempt_at is null or one.deadline <= one.next_attempt_at)`;

/**
 * Locks the experiments of overdue executions until the end of the transaction, and shares their workflows. Skips those that another
 * transaction has locked, so several workers find different ones.
 */
export async function lockOverdue(tx: Tx, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select one.id from callback_executions as one
    join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
    join workflows on workflows.id = experiments.workflow_id
    where ${isOverdue} order by one.deadline limit ${limit}
    for no key update of experiments skip locked for key share of workflows skip locked`.execute(tx);
  return idsOf(rows);
}

/** Skips executions of locked workflows. */
export async function listOverdue(
  db: Db,
  lockedWorkflowIds: readonly number[],
  limit: number,
): Promise<FoundExecution[]> {
  const { rows } = await sql<FoundExecution>`
    select one.id, experiments.workflow_id from callback_executions as one
    join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
    where ${isOverdue} and experiments.workflow_id <> all(${lockedWorkflowIds}::bigint[])
    order by one.deadline limit ${limit}`.execute(db);
  return rows;
}

export interface LostExecution extends FoundExecution {
  /** The last heartbeat of the running attempt. */
  heartbeat_at: string;
}

/** Executions whose running attempt has an expired lease. */
export async function listLost(db: Db, lockedWorkflowIds: readonly number[], limit: number): Promise<LostExecution[]> {
  const { rows } = await sql<LostExecution>`
    with limits as materialized (select owner.holder, ${leaseLimit(sql.ref('owner.holder'))} as at from contact as owner)
    select one.id, experiments.workflow_id, execution_attempts.heartbeat_at::text from execution_attempts
    join callback_executions as one on one.id = execution_attempts.execution_id
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join limits on limits.holder = case when callback_versions.queue = ${callbackQueue} then 'worker' else 'server' end
    join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
    where execution_attempts.ended_at is null and experiments.workflow_id <> all(${lockedWorkflowIds}::bigint[])
      and execution_attempts.heartbeat_at < limits.at
    limit ${limit}`.execute(db);
  return rows;
}

const batchSize = 1000;

/**
 * Queues executions whose initial delay has passed, in batches. Like every change of an execution, it raises the version of the
 * experiment. Otherwise a report that has read `created` would set the status back.
 */
export async function queueDelayed(db: Db, signal?: AbortSignal): Promise<void> {
  const canContinue = () => signal?.aborted !== true;
  for (let queued = batchSize; queued === batchSize && canContinue();) {
    const { numAffectedRows = 0n } = await sql`
      with due as materialized (
        select one.id, experiments.id as experiment_id from callback_executions as one
        join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
        where one.next_attempt_at <= now() and one.status = 'created'
        order by one.next_attempt_at limit ${batchSize} for no key update of one, experiments skip locked
      ), raised as (
        update experiments set version = experiments.version + 1
        where experiments.id = any(array(select due.experiment_id from due)))
      update callback_executions set status = 'queued', version = callback_executions.version + 1
      where callback_executions.id = any(array(select due.id from due))`.execute(db);
    queued = Number(numAffectedRows);
  }
}

/** The position of a sweep over unclaimed executions. */
export interface SweepPosition {
  created: string;
  id: number;
}

export interface UnclaimedExecution extends SweepPosition {
  has_job: boolean;
}

/** Executions that should have started at least a minute ago, oldest first, after that position. */
export async function listUnclaimed(db: Db, after: SweepPosition, limit: number): Promise<UnclaimedExecution[]> {
  const { rows } = await sql<UnclaimedExecution>`
    select one.created, one.id, ${hasJob('one.id', 'callback_versions.queue')} as has_job
    from callback_executions as one
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where one.status in ('created', 'queued') and (one.created, one.id) > (${after.created}::timestamptz, ${after.id})
      and one.created < now() - interval '1 minute'
      and coalesce(one.next_attempt_at, one.created) < now() - interval '1 minute'
    order by one.created, one.id limit ${limit}`.execute(db);
  return rows;
}

/** Executions between two attempts whose next attempt was due a minute ago but has no job, oldest first. */
export async function listStranded(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select one.id from callback_executions as one
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where one.next_attempt_at < now() - interval '1 minute' and one.status = 'running'
      and not ${hasJob('one.id', 'callback_versions.queue')}
    order by one.next_attempt_at limit ${limit}`.execute(db);
  return idsOf(rows);
}

export interface RetryBacklog {
  /** Executions that wait for their next attempt after a temporary failure. */
  waiting: number;
  /** Seconds since the first failure of the execution that has been failing for the longest time. */
  longest: number;
}

export async function countRetries(db: Db): Promise<RetryBacklog> {
  const { rows } = await sql<RetryBacklog>`
    select count(one.next_attempt_at)::integer as waiting,
      coalesce(extract(epoch from clock_timestamp() - min(one.failing_since)), 0)::float as longest
    from callback_executions as one where one.failing_since is not null and one.status = 'running'`.execute(db);
  return rows[0] ?? { waiting: 0, longest: 0 };
}

/** The jobs keep their places in the queue. They can be taken after the pause. */
export async function enqueueJobs(db: Db, executionIds: readonly number[], pauseSeconds = 0): Promise<void> {
  if (executionIds.length === 0) return;
  await insertJobs(sql`
    select one.id, callback_versions.queue, experiments.workflow_id, actions.bulk,
      coalesce(one.next_attempt_at, one.created), ${pauseSeconds}::float
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
    where one.id = any(${executionIds}::bigint[])`).execute(db);
}
