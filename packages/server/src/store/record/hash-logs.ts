/**
 * Hashes logs with the key of the subject for the history. Without the key, nobody can check a guess at a removed log. Fails if
 * the subject was erased.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface HashedLog {
  /** In bytes. */
  length: number;
  hash: string;
}

export async function hashLogs(
  db: Db,
  experimentId: number,
  logs: Readonly<Record<string, string>>,
): Promise<Record<string, HashedLog>> {
  const names = Object.keys(logs);
  const digests = Object.values(logs).map((log) => createHash('sha256').update(log).digest());
  const { rows } = await sql<{ name: string; hash: string }>`
    select given.name, encode(sha256(personal_key('subject', experiments.subject_id) || given.digest), 'hex') as hash
    from experiments cross join unnest(${names}::text[], ${digests}::bytea[]) as given (name, digest)
    where experiments.id = ${experimentId}`.execute(db);
  return Object.fromEntries(
    rows.map(({ name, hash }) => [name, { length: Buffer.byteLength(logs[name] ?? ''), hash }]),
  );
}
