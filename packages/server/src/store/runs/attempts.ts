/**
 * Attempts of executions, each with its own secret and lease. Heartbeats renew the lease. After it expires, another worker can
 * start the next attempt (rule 14).
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { deleteJobs } from '../../jobs/insert-jobs.ts';
import { shortenLog } from './shorten-log.ts';

/** A worker without a heartbeat for this long loses its attempt. */
export const leaseSeconds = 20;

/** The URL of each external system by name. */
export const externalSystemsSql = sql<Record<string, string>>`(
  select coalesce(json_object_agg(external_systems.system_name, external_systems.url order by external_systems.id), '{}')
  from external_systems)`;

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
    ), open as (
      select one.execution_id, one.attempt from execution_attempts as one join given
        on one.execution_id = given.execution_id and one.attempt = given.attempt where one.ended_at is null
    ), ${renewGivenSql}
    select open.execution_id as "executionId", open.attempt, renewed.attempt is not null as renewed
    from open left join renewed on renewed.execution_id = open.execution_id and renewed.attempt = open.attempt`.execute(
    db,
  );
  const namesOf = (renewed: boolean) => new Set(rows.filter((row) => row.renewed === renewed).map(leaseName));
  return { renewed: namesOf(true), locked: namesOf(false) };
}

/** Renews the leases in `given` that are open and not locked. */
export const renewGivenSql = sql`free as materialized (
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

/** The last part of what an attempt has sent with its heartbeats. */
export async function readLogEnd(db: Db, executionId: number, attempt: number): Promise<string> {
  const { rows } = await sql<{ log: string }>`
    select right(execution_attempts.log, 65536) as log from execution_attempts
    where execution_attempts.execution_id = ${executionId} and execution_attempts.attempt = ${attempt}`.execute(db);
  return rows[0]?.log ?? '';
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
