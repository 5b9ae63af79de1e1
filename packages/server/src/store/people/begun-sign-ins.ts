/**
 * Single sign-ons that have started but not finished. Times come from the database clock. Each can be used once across all
 * servers. Starting one also removes up to two expired ones. The hourly retention task removes the rest.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export async function insertBegunSignIn(db: Db, secretHash: Buffer, returnTo: string): Promise<void> {
  await sql`
    with expired as (
      delete from begun_sign_ins where begun_sign_ins.secret_hash = any(array(
        select one.secret_hash from begun_sign_ins as one where one.expires_at < now()
        order by one.expires_at limit 2 for update skip locked)))
    insert into begun_sign_ins (secret_hash, return_to) values (${secretHash}, ${returnTo})`.execute(db);
}

/** Returns the path to return to after the sign-in. Undefined if the sign-in is unknown, used or expired. */
export async function takeBegunSignIn(db: Db, secretHash: Buffer): Promise<string | undefined> {
  const row = await db
    .deleteFrom('begun_sign_ins')
    .where('begun_sign_ins.secret_hash', '=', secretHash)
    .where('begun_sign_ins.expires_at', '>', sql<string>`clock_timestamp()`)
    .returning('begun_sign_ins.return_to')
    .executeTakeFirst();
  return row?.return_to;
}
