/** The servers and workers of the installation. Each records its heartbeat in its own row. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface OwnProcess {
  kind: 'server' | 'worker';
  host: string;
  pid: number;
  version: string;
}

export const heartbeatSeconds = 10;
/** After three missed heartbeats. */
const lostAfter = sql`interval '30 seconds'`;
const keptFor = sql`interval '1 day'`;

/** Returns the id of the row, which is a new one without `id`, or if that row is gone. */
export async function recordHeartbeat(db: Db, id: number | undefined, own: OwnProcess, runs: number): Promise<number> {
  const beaten = id === undefined ? 0 : await updateHeartbeat(db, id, runs);
  return id !== undefined && beaten > 0 ? id : insertProcess(db, own, runs);
}

async function updateHeartbeat(db: Db, id: number, runs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update processes set seen_at = clock_timestamp(), runs = ${runs} where processes.id = ${id}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

async function insertProcess(db: Db, { kind, host, pid, version }: OwnProcess, runs: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with outdated as (delete from processes where processes.seen_at < now() - ${keptFor})
    insert into processes (kind, host, pid, milepost_version, runs) values (${kind}, ${host}, ${pid}, ${version}, ${runs})
    returning processes.id`.execute(db);
  return rows[0]?.id ?? 0;
}

export async function recordStop(db: Db, id: number): Promise<void> {
  await sql`
    update processes set stopped_at = clock_timestamp(), seen_at = clock_timestamp(), runs = 0
    where processes.id = ${id}`.execute(db);
}

export interface ProcessRow extends OwnProcess {
  id: number;
  status: 'running' | 'lost' | 'stopped';
  runs: number;
  started_at: string;
  seen_at: string;
  stopped_at: string | null;
}

const maxListed = 50;

/** Those that run first. */
export async function listProcesses(db: Db): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select processes.id, processes.kind, processes.host, processes.pid, processes.milepost_version as version, processes.runs,
      processes.started_at, processes.seen_at, processes.stopped_at,
      case when processes.stopped_at is not null then 'stopped'
        when processes.seen_at < now() - ${lostAfter} then 'lost' else 'running' end as status
    from processes where processes.seen_at >= now() - ${keptFor}
    order by processes.stopped_at is not null or processes.seen_at < now() - ${lostAfter}, processes.kind desc,
      processes.started_at desc
    limit ${maxListed}`.execute(db);
  return rows;
}
