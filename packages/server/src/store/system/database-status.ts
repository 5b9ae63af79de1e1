/** The database as the role of the application sees it. Nothing here reads study data. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface DatabaseStatus {
  version: string;
  size_bytes: number;
  connections: number;
  max_connections: number;
  read_only: boolean;
  replicas: number;
  replica_lag_seconds: number | null;
  longest_lock_wait_seconds: number | null;
}

/** PostgreSQL shows the lag of standby servers only to roles that may monitor, and the waits only of the same role. */
export async function readDatabaseStatus(db: Db): Promise<DatabaseStatus> {
  const { rows } = await sql<DatabaseStatus>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as size_bytes,
      (select sum(pg_stat_database.numbackends) from pg_stat_database) as connections,
      current_setting('max_connections')::integer as max_connections,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
      replicas.number as replicas, replicas.lag as replica_lag_seconds,
      (select extract(epoch from max(clock_timestamp() - activity.query_start))::float from pg_stat_activity as activity
        where activity.datname = current_database() and activity.wait_event_type = 'Lock') as longest_lock_wait_seconds
    from (
      select count(*) as number, extract(epoch from max(standby.replay_lag))::float as lag from pg_stat_replication as standby
    ) as replicas`.execute(db);
  const [status] = rows;
  if (!status) throw new Error('The database returned no status.');
  return status;
}

export interface AppliedMigrations {
  applied: number;
  last: string;
}

export async function readAppliedMigrations(db: Db): Promise<AppliedMigrations> {
  const { rows } = await sql<AppliedMigrations>`
    select count(*) as applied, max(migrations.name collate "C") as last from migrations`.execute(db);
  return rows[0] ?? { applied: 0, last: '' };
}

export interface ActiveWork {
  bulk_operations: number;
  imports: number;
}

/** From the indexes of those that workers continue. */
export async function countActiveWork(db: Db): Promise<ActiveWork> {
  const { rows } = await sql<ActiveWork>`
    select (select count(*) from bulk_operations as one where one.status in ('checking', 'running')) as bulk_operations,
      (select count(*) from imports as one where one.status in ('checking', 'running')) as imports`.execute(db);
  return rows[0] ?? { bulk_operations: 0, imports: 0 };
}
