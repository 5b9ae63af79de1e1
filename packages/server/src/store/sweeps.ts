/** What workers look for every few seconds: executions whose time is over, whose worker or job was lost, that nobody takes. */
import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import { hasJob, insertJobs } from '../jobs/insert-jobs.ts';
import { leaseSeconds } from './attempts.ts';

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

export async function listOverdue(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select callback_executions.id from callback_executions
    where callback_executions.deadline <= now() order by callback_executions.deadline limit ${limit}`.execute(db);
  return idsOf(rows);
}

/** Executions with an attempt that runs and whose worker is silent. */
export async function listLost(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select execution_attempts.execution_id as id from execution_attempts
    where execution_attempts.ended_at is null
      and execution_attempts.heartbeat_at < now() - ${sql.lit(leaseSeconds)} * interval '1 second'
    limit ${limit}`.execute(db);
  return idsOf(rows);
}

/** Initial delays that are over. */
export async function queueDelayed(db: Db): Promise<void> {
  await sql`
    update callback_executions set status = 'queued'
    where callback_executions.id in (
      select due.id from callback_executions as due
      where due.next_attempt_at <= now() and due.status = 'created' for update skip locked)`.execute(db);
}

/** How far a sweep over everything that nobody has started has come. */
export interface SweepPlace {
  created: string;
  id: number;
}

export interface UnclaimedExecution extends SweepPlace {
  has_job: boolean;
  /** Since 15 minutes, and nobody has been told. */
  needs_attention: boolean;
}

/** What should have been started at least a minute ago, oldest first, behind that place. */
export async function listUnclaimed(db: Db, after: SweepPlace, limit: number): Promise<UnclaimedExecution[]> {
  const { rows } = await sql<UnclaimedExecution>`
    select one.created, one.id, ${hasJob('one.id', 'callback_versions.queue')} as has_job,
      coalesce(one.next_attempt_at, one.created) < now() - interval '15 minutes' and not exists (
        select from incidents where incidents.experiment_id = actions.experiment_id and incidents.kind = 'unclaimed'
          and incidents.closed_at is null) as needs_attention
    from callback_executions as one
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join actions on actions.id = one.action_id
    where one.status in ('created', 'queued') and (one.created, one.id) > (${after.created}::timestamptz, ${after.id})
      and one.created < now() - interval '1 minute'
      and coalesce(one.next_attempt_at, one.created) < now() - interval '1 minute'
    order by one.created, one.id limit ${limit}`.execute(db);
  return rows;
}

/** Runs between two attempts whose next one was due a minute ago, without a job. */
export async function listStranded(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select one.id from callback_executions as one
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where one.next_attempt_at < now() - interval '1 minute' and one.status = 'running'
      and not ${hasJob('one.id', 'callback_versions.queue')}
    limit ${limit}`.execute(db);
  return idsOf(rows);
}

export async function giveJobs(db: Db, executionIds: readonly number[]): Promise<void> {
  if (executionIds.length === 0) return;
  await insertJobs(sql`
    select one.id, callback_versions.queue, 0
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where one.id = any(${executionIds}::bigint[])`).execute(db);
}

/** Locked, so that nobody starts one while somebody is being told that nobody does. */
export async function openUnclaimed(db: Db, executionIds: readonly number[]): Promise<void> {
  if (executionIds.length === 0) return;
  await sql`
    with still as materialized (
      select one.id, one.action_id, one.callback_id, one.callback_version from callback_executions as one
      where one.id = any(${executionIds}::bigint[]) and one.status in ('created', 'queued')
      for update skip locked
    ), opened as (
      insert into incidents (experiment_id, kind, action_id, execution_id, detail)
      select actions.experiment_id, 'unclaimed', still.action_id, still.id,
        format('Nobody has started %s for 15 minutes. It waits in the queue %s: does a worker take from it?',
          callback_versions.label, callback_versions.queue)
      from still join actions on actions.id = still.action_id
      join callback_versions on callback_versions.callback_id = still.callback_id
        and callback_versions.version = still.callback_version
      on conflict (experiment_id, kind) where closed_at is null do nothing
      returning incidents.id, incidents.experiment_id, incidents.execution_id)
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select 'openIncident', 'experiment', opened.experiment_id, experiments.cohort_id,
      jsonb_build_object('incident_id', opened.id, 'kind', 'unclaimed', 'execution_id', opened.execution_id)
    from opened join experiments on experiments.id = opened.experiment_id`.execute(db);
}
