/** What keeps the installation from working fully. Every server looks every few seconds, so all reads are of single rows. */
import type { Condition } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { maxUnsignedMinutes, readSigningStatus } from '../record/checkpoints.ts';

/** A worker records its contact every 2 seconds. */
const workerSilence = sql`interval '15 seconds'`;

export async function readConditions(db: Db): Promise<Condition[]> {
  const { rows } = await sql<Partial<Record<Condition, boolean>>>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as database_read_only,
      not exists (select from contact where contact.holder = 'worker' and contact.at > now() - ${workerSilence}) as no_worker,
      exists (select from incidents where incidents.closed_at is null and incidents.queue is not null) as queue_blocked`.execute(
    db,
  );
  const found = { ...rows[0], checkpoints_overdue: await areCheckpointsOverdue(db) };
  return (Object.keys(found) as Condition[]).filter((condition) => found[condition]);
}

/** An installation without a key signs nothing, which is not a fault. */
async function areCheckpointsOverdue(db: Db): Promise<boolean> {
  const { last, unsignedMinutes } = await readSigningStatus(db);
  return last !== null && unsignedMinutes > maxUnsignedMinutes;
}
