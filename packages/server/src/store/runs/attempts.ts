/**
 * Attempts of executions, each with its own secret and lease. Heartbeats renew the lease. After it expires, another worker can
 * start the next attempt (rule 14).
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { arrayOf } from '../../database/given-rows.ts';
import { deleteJobs } from '../../jobs/insert-jobs.ts';
import { experimentIds, externalValuesSql, subjectIds } from '../study/external-values.ts';
import { noteStartsSql } from './queue-progress.ts';
import { applyPaceSql, defaultRetriesPerSecond, lockPaceSql } from './retry-pace.ts';
import { shortenLog } from './shorten-log.ts';

/** A worker without a heartbeat for this long loses its attempt. */
export const leaseSeconds = 20;

/** The execution of a job, with everything that its run needs. */
export interface DueExecution {
  id: number;
  /** Whether an attempt can start once it is due: none has started, or a retry is scheduled, and its action is the latest. */
  startable: boolean;
  /** Seconds until the attempt can start. 0 if it is due. */
  due_in: number;
  /** The host that the last attempt could not reach. */
  retry_host: string | null;
  attempt: number;
  created: string;
  /** Seconds since the first attempt started. */
  running_seconds: number;
  workflow_id: number;
  /** Whether its action is part of a bulk move. */
  bulk: boolean;
  experiment_id: number;
  action_id: number;
  label: string;
  function: string;
  queue: string;
  callback_arguments: Record<string, unknown>;
  condition: string;
  wait_timeout: number;
  experiment_label: string;
  experiment_external_ids: Record<string, string>;
  experiment_variables: Record<string, unknown>;
  subject_id: number;
  subject_label: string;
  subject_external_ids: Record<string, string>;
  cohort_id: number;
  cohort_label: string;
}

export async function listDueExecutions(db: Db, ids: readonly number[]): Promise<DueExecution[]> {
  const { rows } = await sql<DueExecution>`
    select one.id, one.attempt, one.created, one.retry_host, experiments.id as experiment_id, actions.id as action_id,
      experiments.workflow_id, actions.bulk,
      coalesce(extract(epoch from clock_timestamp() - one.run_start), 0)::float as running_seconds,
      callback_versions.label, callback_versions.function, callback_versions.queue, callback_versions.callback_arguments,
      callback_versions.condition, callback_versions.wait_timeout, experiments.label as experiment_label,
      ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} as experiment_external_ids,
      (select coalesce(json_object_agg(experiment_variables.name, experiment_variables.value), '{}')
        from experiment_variables where experiment_variables.experiment_id = experiments.id) as experiment_variables,
      subjects.id as subject_id, subjects.label as subject_label,
      ${externalValuesSql(subjectIds, sql.ref('subjects.id'))} as subject_external_ids,
      cohorts.id as cohort_id, cohorts.label as cohort_label,
      (one.status in ('created', 'queued') or (one.status = 'running' and one.next_attempt_at is not null))
        and actions.sequence = experiments.action_sequence as startable,
      greatest(0, coalesce(extract(epoch from one.next_attempt_at - now()), 0))::float as due_in
    from callback_executions as one
    join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join actions on actions.id = one.action_id
    join experiments on experiments.id = actions.experiment_id
    join subjects on subjects.id = experiments.subject_id
    join cohorts on cohorts.id = experiments.cohort_id
    where one.id = any(${arrayOf(ids, 'bigint')})
    order by one.id`.execute(db);
  return rows;
}

export interface AttemptStart {
  executionId: number;
  experimentId: number;
  /** The attempt that was read. The start is dropped if it has changed. */
  attempt: number;
  /** The experiment's version, if a condition was evaluated. */
  version: number | null;
  retryHost: string | null;
  secretHash: Buffer;
}

export interface StartedAttempt {
  id: number;
  /** Null if the retry was postponed, because too many retries to its host start at the same time. */
  attempt: number | null;
}

export interface StartedAttempts {
  attempts: StartedAttempt[];
  /** The URL of each external system by name, in the snapshot of the statement that starts the attempts. */
  externalSystems: Readonly<Record<string, string>>;
}

/**
 * Starts several attempts at once. Skips executions that were started, resolved or superseded in the meantime, and those whose
 * experiment or workflow is locked, so that one of them does not delay the others. While an import locks a workflow, no run of it
 * could record its end and free its slot.
 */
export async function writeAttemptStarts(
  db: Db,
  starts: readonly AttemptStart[],
  worker: string,
  retriesPerSecond = defaultRetriesPerSecond,
): Promise<StartedAttempts> {
  if (starts.length === 0) return { attempts: [], externalSystems: {} };
  const hosts = [...new Set(starts.flatMap(({ retryHost }) => retryHost ?? []))];
  const paced = hosts.length > 0;
  const column = <K extends keyof AttemptStart>(name: K) => starts.map((start) => start[name]);
  const { rows } = await sql<StartedAttempts>`
    with ${paced ? lockPaceSql(hosts) : sql`clock as materialized (select clock_timestamp() as now)`},
    given as (
      select * from unnest(${arrayOf(column('executionId'), 'bigint')}, ${arrayOf(column('experimentId'), 'bigint')},
        ${arrayOf(column('attempt'), 'integer')}, ${arrayOf(column('version'), 'bigint')}, ${arrayOf(column('secretHash'), 'bytea')})
        as given (execution_id, experiment_id, attempt, version, secret_hash)
    ), locked as materialized (
      select experiments.id, experiments.version, experiments.cohort_id, experiments.workflow_id, experiments.action_sequence
      from experiments join workflows on workflows.id = experiments.workflow_id
      where experiments.id = any(${arrayOf(column('experimentId'), 'bigint')}) order by experiments.id
      for no key update of experiments skip locked for share of workflows skip locked
    ), raised as (
      update experiments set version = experiments.version + 1 from locked where experiments.id = locked.id
    ), ${paced ? applyPaceSql(retriesPerSecond) : noneWaiting}, started as (
      update callback_executions as one
      set status = 'running', result = 'none', attempt = one.attempt + 1, next_attempt_at = null, version = one.version + 1,
        run_start = coalesce(one.run_start, greatest(clock.now, one.created)),
        retry_host = null, retry_slot = false,
        deadline = case when one.run_start is not null
            then one.deadline + greatest(interval '0', clock.now - one.next_attempt_at)
          when callback_versions.run_timeout > 0 then clock.now + callback_versions.run_timeout * interval '1 minute' end
      from given join locked on locked.id = given.experiment_id and coalesce(given.version = locked.version, true)
        join actions on actions.experiment_id = locked.id and actions.sequence = locked.action_sequence
        cross join clock cross join callback_versions
      where one.id = given.execution_id and one.attempt = given.attempt and one.action_id = actions.id
        and one.id not in (select waiting.id from waiting)
        and (one.status in ('created', 'queued') or (one.status = 'running' and one.next_attempt_at is not null))
        and callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
      returning one.id, one.attempt, callback_versions.queue, given.secret_hash, locked.id as experiment_id, locked.cohort_id,
        locked.workflow_id, actions.bulk
    ), attempts as (
      insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at)
      select started.id, started.attempt, started.secret_hash, ${worker}, clock.now, clock.now from started cross join clock
    ), ${noteStartsSql}, announced as (
      insert into events (kind, object_kind, object_id, cohort_id, data)
      select 'startExecution', 'callback_execution', started.id, started.cohort_id,
        jsonb_build_object('attempt', started.attempt, 'experiment_id', started.experiment_id)
      from started
    ), taken as (${deleteJobs(sql`select started.id, started.queue from started`)})
    select ${externalSystemsSql} as "externalSystems", (
      select coalesce(json_agg(json_build_object('id', one.id, 'attempt', one.attempt) order by one.id), '[]')
      from (
        select started.id, started.attempt from started
        union all select waiting.id, null from waiting) as one) as attempts`.execute(db);
  return rows[0] ?? { attempts: [], externalSystems: {} };
}

/** The URL of each external system by name. */
export const externalSystemsSql = sql<Record<string, string>>`(
  select coalesce(json_object_agg(external_systems.system_name, external_systems.url order by external_systems.id), '{}')
  from external_systems)`;

const noneWaiting = sql`waiting as (select null::bigint as id where false)`;

export interface Lease {
  executionId: number;
  attempt: number;
  /** Appended to the attempt's log. */
  log: string;
}

export const leaseName = ({ executionId, attempt }: Pick<Lease, 'executionId' | 'attempt'>) =>
  `${executionId}:${attempt}`;

export interface RenewedLeases {
  /** The names of the renewed leases, whose log is stored. */
  renewed: ReadonlySet<string>;
  /** The names of leases that another transaction locks, such as an erasure. They are valid, and the next heartbeat renews them. */
  locked: ReadonlySet<string>;
}

/** Renews several leases at once. Runs whose lease is neither renewed nor locked must stop. */
export async function renewLeases(db: Db, leases: readonly Lease[]): Promise<RenewedLeases> {
  if (leases.length === 0) return { renewed: new Set(), locked: new Set() };
  const { rows } = await sql<{ executionId: number; attempt: number; renewed: boolean }>`
    with given as (
      select * from unnest(${leases.map(({ executionId }) => executionId)}::bigint[],
        ${leases.map(({ attempt }) => attempt)}::integer[], ${leases.map(({ log }) => log)}::text[])
        as given (execution_id, attempt, log)
    ), ${renewGivenSql}
    select open.execution_id as "executionId", open.attempt, renewed.attempt is not null as renewed
    from open left join renewed on renewed.execution_id = open.execution_id and renewed.attempt = open.attempt`.execute(
    db,
  );
  const namesOf = (renewed: boolean) => new Set(rows.filter((row) => row.renewed === renewed).map(leaseName));
  return { renewed: namesOf(true), locked: namesOf(false) };
}

/** Renews the leases in `given` that are open and not locked. */
export const renewGivenSql = sql`
  open as (
    select one.execution_id, one.attempt from execution_attempts as one join given
      on one.execution_id = given.execution_id and one.attempt = given.attempt where one.ended_at is null
  ), free as materialized (
    select one.execution_id, one.attempt, given.log from execution_attempts as one join given
      on one.execution_id = given.execution_id and one.attempt = given.attempt
    where one.ended_at is null order by one.execution_id, one.attempt for no key update of one skip locked
  ), renewed as (
    update execution_attempts as one
    set heartbeat_at = greatest(clock_timestamp(), one.started_at),
      log = case when free.log = '' then one.log else ${shortenLog(sql`one.log || free.log`)} end
    from free where one.execution_id = free.execution_id and one.attempt = free.attempt
    returning one.execution_id, one.attempt)`;

/** Finds the attempt that a secret belongs to. */
export async function findAttempt(db: Db, executionId: number, secretHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('execution_attempts')
    .select('execution_attempts.attempt')
    .where('execution_attempts.execution_id', '=', executionId)
    .where('execution_attempts.secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row?.attempt;
}

export async function readExternalSystems(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ systems: Record<string, string> }>`select ${externalSystemsSql} as systems`.execute(db);
  return rows[0]?.systems ?? {};
}

/** Appends output of a run whose attempt has already ended. Changes nothing but the logs. */
export async function addLateLog(db: Db, { executionId, attempt, log }: Lease): Promise<void> {
  if (log === '') return;
  await sql`
    with late as (
      update execution_attempts set log = ${shortenLog(sql`execution_attempts.log || ${log}`)}
      where execution_attempts.execution_id = ${executionId} and execution_attempts.attempt = ${attempt}
      returning execution_attempts.execution_id)
    update callback_executions
    set run_log = ${shortenLog(sql`callback_executions.run_log || ${log}`)}, version = callback_executions.version + 1
    from late where callback_executions.id = late.execution_id`.execute(db);
}

/** Deletes the jobs of executions that need no attempt. */
export async function dropJobs(db: Db, executions: readonly { id: number; queue: string }[]): Promise<void> {
  if (executions.length === 0) return;
  const ids = executions.map(({ id }) => id);
  await deleteJobs(sql`
    select given.id, given.queue from unnest(${ids}::bigint[], ${executions.map(({ queue }) => queue)}::text[])
      as given (id, queue)`).execute(db);
}
