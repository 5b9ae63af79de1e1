/**
 * Password resets by mail: requests, mails to send and valid links. A link expires after 30 minutes, when it is used, or when
 * the account changes. Times come from the database clock. Only the SHA-256 of a token is stored.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { byLogin, foldName } from './users.ts';

/** Per account and hour. */
const maxMails = 3;
/** Older requests are dropped. */
const maxWait = sql.lit('30 minutes');
const linkLifetime = sql.lit('30 minutes');
/** If a worker has not recorded the outcome by then, another one retries. */
const maxSendingTime = sql.lit('2 minutes');
const maxTries = 5;
/** Users of single sign-on and service accounts have no password and cannot set one. */
const canHavePassword = sql<boolean>`(users.password_hash is not null or users.awaits_password)`;

/**
 * Inserts a row even if there is no such account, so that the response time does not reveal whether it exists. Accounts that
 * cannot have a password get no mail.
 */
export async function recordResetRequest(db: Db, login: string): Promise<void> {
  await db
    .insertInto('password_resets')
    .columns(['user_id'])
    .expression(
      db.selectNoFrom((inner) =>
        inner
          .selectFrom('users')
          .select('users.id')
          .where(byLogin(login), '=', foldName(login))
          .where('users.active', '=', true)
          .where(canHavePassword)
          .as('user_id'),
      ),
    )
    .execute();
}

export interface PendingReset {
  id: number;
  /** Null if no account has this name. */
  user_id: number | null;
  tries: number;
}

const selectPending = (tx: Tx) =>
  tx
    .selectFrom('password_resets')
    .select(['password_resets.id', 'password_resets.user_id', 'password_resets.tries'])
    .where('password_resets.sent_at', 'is', null)
    .where('password_resets.ended_at', 'is', null)
    .where('password_resets.next_try_at', '<=', sql<string>`now()`);

/** The next mail to send, not locked yet. The caller locks its account first, as everywhere. */
export const findPendingReset = (tx: Tx): Promise<PendingReset | undefined> =>
  selectPending(tx).orderBy('password_resets.next_try_at').limit(1).executeTakeFirst();

/** Locks a pending reset until the end of the transaction. Undefined if it is no longer pending. */
export const lockPendingReset = (tx: Tx, id: number): Promise<PendingReset | undefined> =>
  selectPending(tx).where('password_resets.id', '=', id).forUpdate().executeTakeFirst();

export async function removeReset(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('password_resets').where('password_resets.id', '=', id).execute();
}

export async function endReset(db: Db, id: number): Promise<void> {
  await db
    .updateTable('password_resets')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('password_resets.id', '=', id)
    .execute();
}

/**
 * Starts a retry if it is unknown whether the first mail arrived. The first link stays valid, and the retry is a new row.
 * Returns the reset with the id of the new row.
 */
export async function startRetry(tx: Tx, waiting: PendingReset): Promise<PendingReset> {
  const { rows } = await sql<{ id: number }>`
    with before as (
      update password_resets set sent_at = clock_timestamp() where password_resets.id = ${waiting.id}
      returning password_resets.user_id, password_resets.asked_at, password_resets.tries)
    insert into password_resets (user_id, asked_at, tries) select before.user_id, before.asked_at, before.tries from before
    returning password_resets.id`.execute(tx);
  return { ...waiting, ...rows[0] };
}

/**
 * Assigns a token, unless the request is too old or the account has reached its limit of mails per hour. Retries of one mail
 * count once. The caller must have locked the account.
 */
export async function assignToken(tx: Tx, { id, user_id, tries }: PendingReset, tokenHash: Buffer): Promise<boolean> {
  if (tries >= maxTries) return false;
  const { rows } = await sql`
    update password_resets set token_hash = ${tokenHash}, tries = password_resets.tries + 1,
      expires_at = clock_timestamp() + interval ${linkLifetime}, next_try_at = clock_timestamp() + interval ${maxSendingTime}
    from users
    where password_resets.id = ${id} and users.id = ${user_id} and users.active and ${canHavePassword}
      and password_resets.asked_at > clock_timestamp() - interval ${maxWait}
      and (password_resets.tries > 0 or (select count(*) from password_resets as other
        where other.user_id = ${user_id} and other.tries = 1
          and other.asked_at > clock_timestamp() - interval '1 hour' - interval ${maxWait}
          and other.expires_at > clock_timestamp() - interval '1 hour' + interval ${linkLifetime}) < ${sql.lit(maxMails)})
    returning 1`.execute(tx);
  return rows.length > 0;
}

export async function markSent(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ sent_at: sql<string>`clock_timestamp()` })
    .where('password_resets.id', '=', id)
    .execute();
}

export async function retryLater(db: Db, id: number, seconds: number): Promise<void> {
  await db
    .updateTable('password_resets')
    .set({ next_try_at: sql<string>`clock_timestamp() + ${seconds}::integer * interval '1 second'` })
    .where('password_resets.id', '=', id)
    .execute();
}

const isValid = sql<boolean>`password_resets.ended_at is null and password_resets.expires_at > clock_timestamp()`;

/** The user of a valid token. */
export async function findReset(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const found = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select('users.id')
    .where('password_resets.token_hash', '=', tokenHash)
    .where('users.active', '=', true)
    .where(isValid)
    .executeTakeFirst();
  return found?.id;
}

/** Returns whether the token was valid. Of two concurrent calls, only one returns true. */
export async function useReset(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const used = await tx
    .updateTable('password_resets')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('password_resets.token_hash', '=', tokenHash)
    .where(isValid)
    .returning('password_resets.id')
    .executeTakeFirst();
  return used !== undefined;
}
