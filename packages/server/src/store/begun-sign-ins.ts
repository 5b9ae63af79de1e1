/**
 * Sign-ins that are on their way through a provider. Times are those of the database, and whoever takes one has taken it
 * from all processes. Each that begins removes two that are over; what a flood leaves behind goes with the daily round.
 */
import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';

export async function insertBegunSignIn(db: Db, secretHash: Buffer, returnTo: string): Promise<void> {
  await sql`
    with over as (
      delete from begun_sign_ins where begun_sign_ins.secret_hash = any(array(
        select one.secret_hash from begun_sign_ins as one where one.expires_at < now()
        order by one.expires_at limit 2 for update skip locked)))
    insert into begun_sign_ins (secret_hash, return_to) values (${secretHash}, ${returnTo})`.execute(db);
}

/** Where it was to lead. Undefined where there is none, or no longer. */
export async function takeBegunSignIn(db: Db, secretHash: Buffer): Promise<string | undefined> {
  const row = await db
    .deleteFrom('begun_sign_ins')
    .where('begun_sign_ins.secret_hash', '=', secretHash)
    .where('begun_sign_ins.expires_at', '>', sql<string>`clock_timestamp()`)
    .returning('begun_sign_ins.return_to')
    .executeTakeFirst();
  return row?.return_to;
}
