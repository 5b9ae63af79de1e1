/** Tells installations apart: the same for all processes with the same database, and another for a copy of it. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './connection.ts';

/** A hash, because the server shows it to everyone. */
export async function readInstallationId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
    from pg_control_system()`.execute(db);
  return createHash('sha256')
    .update(rows[0]?.id ?? '')
    .digest('hex')
    .slice(0, 32);
}
