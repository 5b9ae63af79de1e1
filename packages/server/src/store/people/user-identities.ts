/** Identities of users at single sign-on providers: issuer and subject, compared byte by byte. */
import { sql } from 'kysely';
import type { Tx } from '../../database/connection.ts';

export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** Locks the identity until the end of the transaction, so that two first sign-ins create one account. */
export async function lockIdentity(tx: Tx, { issuer, subject }: IdentityKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([issuer, subject])}, 18))`.execute(tx);
}

export async function findIdentity(tx: Tx, { issuer, subject }: IdentityKey): Promise<number | undefined> {
  const row = await tx
    .selectFrom('user_identities')
    .select('user_identities.user_id')
    .where('user_identities.issuer', '=', issuer)
    .where('user_identities.subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function insertIdentity(tx: Tx, { issuer, subject }: IdentityKey, userId: number): Promise<void> {
  await tx.insertInto('user_identities').values({ issuer, subject, user_id: userId }).execute();
}
