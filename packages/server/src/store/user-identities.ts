/** Who somebody is at a provider of single sign-on: the issuer and the subject, compared byte by byte. */
import { sql } from 'kysely';
import type { Tx } from '../database/connection.ts';

export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** Until the end of the transaction nobody else comes in with it: of two first sign-ins one makes the account. */
export async function holdIdentity(tx: Tx, { issuer, subject }: IdentityKey): Promise<void> {
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
