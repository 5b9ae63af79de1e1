/**
 * Incidents of queues (rule 16). A queue has one if nothing was taken from it for 15 minutes, or if a run waits although 1,000
 * younger runs of its workflow and priority were taken. Users see the number of their own experiments that wait.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';

const stalledMinutes = 15;
export const passedOverBy = 1000;

/** The queues that need an incident. `execution_id` is the run that was passed over. It is null if nothing was taken. */
const stalledSql = sql`
  select distinct on (found.queue) found.queue, found.execution_id from (
    select queue_progress.queue, null::bigint as execution_id, min(queue_progress.oldest_due) as due from queue_progress
    group by queue_progress.queue
    having greatest(min(queue_progress.oldest_due), max(queue_progress.last_started_at))
        < now() - ${sql.lit(stalledMinutes)} * interval '1 minute'
      and min(queue_progress.oldest_due) is not null
    union all
    select queue_progress.queue, queue_progress.oldest_execution_id, queue_progress.oldest_due from queue_progress
    where queue_progress.oldest_due < now() - interval '1 minute'
      and queue_progress.started - queue_progress.started_before >= ${sql.lit(passedOverBy)}
  ) as found order by found.queue, found.execution_id nulls first, found.due`;

/** Closes the incidents whose cause is gone. A run can leave a queue without a start, for example if its experiment moves. */
export async function closeQueueIncidents(tx: Tx): Promise<void> {
  await sql`
    update incidents set closed_at = greatest(clock_timestamp(), incidents.opened_at)
    where incidents.queue is not null and incidents.closed_at is null and not exists (
      select from (${stalledSql}) as stalled
      where stalled.queue = incidents.queue and stalled.execution_id is not distinct from incidents.execution_id)`.execute(
    tx,
  );
}

export async function openQueueIncidents(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into incidents (kind, queue, execution_id)
    select 'unclaimed', stalled.queue, stalled.execution_id from (${stalledSql}) as stalled
    on conflict (queue) where closed_at is null and queue is not null do nothing
    returning incidents.id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function listBlockedQueues(db: Db): Promise<string[]> {
  const { rows } = await sql<{ queue: string }>`
    select incidents.queue from incidents where incidents.closed_at is null and incidents.queue is not null`.execute(
    db,
  );
  return rows.map(({ queue }) => queue);
}

/** Closes incidents of single runs, which the previous release opened. */
export async function closeUnclaimedExperiments(tx: Tx): Promise<void> {
  await sql`
    update incidents set closed_at = greatest(clock_timestamp(), incidents.opened_at)
    where incidents.id in (
      select open.id from incidents as open
      where open.kind = 'unclaimed' and open.closed_at is null and open.experiment_id is not null
      order by open.kind, open.id limit 10000 for update skip locked)`.execute(tx);
}

/** Open incidents of queues whose experiments were last counted half a minute ago. Several workers ask. */
export async function listUncounted(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select incidents.id from incidents
    where incidents.queue is not null and incidents.closed_at is null and not exists (
      select from incident_cohorts where incident_cohorts.incident_id = incidents.id
        and incident_cohorts.counted_at > now() - interval '25 seconds')`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Reads all waiting jobs of the queues, so it is part of a periodic task and not of a request. */
export async function countWaitingExperiments(tx: Tx, incidentIds: readonly number[]): Promise<void> {
  if (incidentIds.length === 0) return;
  await sql`delete from incident_cohorts where incident_cohorts.incident_id = any(${incidentIds}::bigint[])`.execute(
    tx,
  );
  await sql`
    insert into incident_cohorts (incident_id, cohort_id, experiments, execution_id)
    select incidents.id, experiments.cohort_id, count(distinct experiments.id), min(one.id)
    from incidents join pgboss.job_common as job on job.name = incidents.queue
    join callback_executions as one on one.id = (job.data->>'execution_id')::bigint
    join actions on actions.id = one.action_id join experiments on experiments.id = actions.experiment_id
    where incidents.id = any(${incidentIds}::bigint[]) and job.state < 'active' and not job.blocked and job.created_on <= now()
      and coalesce(one.id = incidents.execution_id, true)
    group by incidents.id, experiments.cohort_id`.execute(tx);
}

/** One event for each cohort with waiting experiments. It names the experiment of that cohort whose run was created first. */
export async function announceQueueIncidents(tx: Tx, incidentIds: readonly number[]): Promise<void> {
  await sql`
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select 'openIncident', 'experiment', actions.experiment_id, own.cohort_id, jsonb_build_object('incident_id', incidents.id,
      'kind', incidents.kind, 'execution_id', own.execution_id, 'queue', incidents.queue, 'experiments', own.experiments)
    from incidents join incident_cohorts as own on own.incident_id = incidents.id
    join callback_executions as one on one.id = own.execution_id join actions on actions.id = one.action_id
    where incidents.id = any(${incidentIds}::bigint[])`.execute(tx);
}

export interface OwnWaiting {
  experiments: number;
  execution_id: number;
  action_id: number;
  experiment_id: number;
  experiment_label: string;
}

/**
 * Of an incident of a queue, the number of experiments in scope that wait, and the first of their runs. No row if none waits.
 * The experiment may have changed its cohort since it was counted, so the scope is checked again.
 */
export const ownWaiting = (scope: Scope, cohortId?: number) => sql`
  select own.experiments, one.id as execution_id, one.action_id, experiments.id as experiment_id, experiments.label as experiment_label
  from (
    select sum(incident_cohorts.experiments)::integer as experiments, min(incident_cohorts.execution_id) as execution_id
    from incident_cohorts where incident_cohorts.incident_id = incidents.id and ${inCohorts(scope, 'incident_cohorts.cohort_id', cohortId)}
  ) as own
  join callback_executions as one on one.id = own.execution_id join actions on actions.id = one.action_id
  join experiments on experiments.id = actions.experiment_id
  where ${inCohorts(scope, 'experiments.cohort_id', cohortId)}`;

const inCohorts = (scope: Scope, column: string, cohortId: number | undefined) =>
  sql`${inScope(scope, column)} and ${cohortId === undefined ? sql`true` : sql`${sql.ref(column)} = ${cohortId}`}`;
