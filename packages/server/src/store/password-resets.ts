/**
 * New passwords by mail: who asked, which letters wait, which links work. A link works until it is used, 30 minutes after it was
 * sent, or until the account changes; times are those of the database. A token is known by its SHA-256 alone.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';
import { byLogin, foldName } from './users.ts';

/** To one account within an hour. */
const mostLetters = 3;
/** Who has waited so long asks again, or has remembered. */
const waitsAtMost = sql.lit('30 minutes');
const worksFor = sql.lit('30 minutes');
/** A worker that has not said by then what became of a letter is gone. */
const sendingTakesAtMost = sql.lit('2 minutes');
const mostTries = 5;

/**
 * One row whether or not there is such an account, so that it cannot be told by the time it takes. Accounts without a
 * password sign in elsewhere, and get none here.
 */
export async function noteAsked(db: Db, login: string): Promise<void> {
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
          .where('users.password_hash', 'is not', null)
          .as('user_id'),
      ),
    )
    .execute();
}

export interface WaitingReset {
  id: number;
  /** Null for a name that nobody has. */
  user_id: number | null;
  tries: number;
}

const selectWaiting = (tx: Tx) =>
  tx
    .selectFrom('password_resets')
    .select(['password_resets.id', 'password_resets.user_id', 'password_resets.tries'])
    .where('password_resets.sent_at', 'is', null)
    .where('password_resets.ended_at', 'is', null)
    .where('password_resets.next_try_at', '<=', sql<string>`now()`);

/** The next letter to be sent, not held yet: its account comes first, as everywhere. */
export const findWaiting = (tx: Tx): Promise<WaitingReset | undefined> =>
  selectWaiting(tx).orderBy('password_resets.next_try_at').limit(1).executeTakeFirst();

/** Until the end of the transaction no other worker takes it. Undefined where one has, or it waits no longer. */
export const holdWaiting = (tx: Tx, id: number): Promise<WaitingReset | undefined> =>
  selectWaiting(tx).where('password_resets.id', '=', id).forUpdate().executeTakeFirst();

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
 * After a try of which it is not known whether the letter came: its link stays as it is, and the next one is a row of its own.
 * The answer holds the place of the one that was waiting.
 */
export async function beginAnotherTry(tx: Tx, waiting: WaitingReset): Promise<WaitingReset> {
  const { rows } = await sql<{ id: number }>`
    with before as (
      update password_resets set sent_at = clock_timestamp() where password_resets.id = ${waiting.id}
      returning password_resets.user_id, password_resets.asked_at, password_resets.tries)
    insert into password_resets (user_id, asked_at, tries) select before.user_id, before.asked_at, before.tries from before
    returning password_resets.id`.execute(tx);
  return { ...waiting, ...rows[0] };
}

/**
 * Gives it a token, unless it is too late for it or its account has had its letters: as many were begun within the hour. Further
 * tries of one letter count as one. The account must be held.
 */
export async function giveToken(tx: Tx, { id, user_id, tries }: WaitingReset, tokenHash: Buffer): Promise<boolean> {
  if (tries >= mostTries) return false;
  const { rows } = await sql`
    update password_resets set token_hash = ${tokenHash}, tries = password_resets.tries + 1,
      expires_at = clock_timestamp() + interval ${worksFor}, next_try_at = clock_timestamp() + interval ${sendingTakesAtMost}
    from users
    where password_resets.id = ${id} and users.id = ${user_id} and users.active and users.password_hash is not null
      and password_resets.asked_at > clock_timestamp() - interval ${waitsAtMost}
      and (password_resets.tries > 0 or (select count(*) from password_resets as other
        where other.user_id = ${user_id} and other.tries = 1
          and other.asked_at > clock_timestamp() - interval '1 hour' - interval ${waitsAtMost}
          and other.expires_at > clock_timestamp() - interval '1 hour' + interval ${worksFor}) < ${sql.lit(mostLetters)})
    returning 1`.execute(tx);
  return rows.length > 0;
}

export async function noteSent(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('password_resets')
    .set({ sent_at: sql<string>`clock_timestamp()` })
    .where('password_resets.id', '=', id)
    .execute();
}

export async function tryLater(db: Db, id: number, seconds: number): Promise<void> {
  await db
    .updateTable('password_resets')
    .set({ next_try_at: sql<string>`clock_timestamp() + ${seconds}::integer * interval '1 second'` })
    .where('password_resets.id', '=', id)
    .execute();
}

const works = sql<boolean>`password_resets.ended_at is null and password_resets.expires_at > clock_timestamp()`;

/** Whose new password a token is for, if it works. */
export async function findReset(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const found = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select('users.id')
    .where('password_resets.token_hash', '=', tokenHash)
    .where('users.active', '=', true)
    .where(works)
    .executeTakeFirst();
  return found?.id;
}

/** Whether it still worked: of two who come with it at once, one is told so. */
export async function useReset(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const used = await tx
    .updateTable('password_resets')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('password_resets.token_hash', '=', tokenHash)
    .where(works)
    .returning('password_resets.id')
    .executeTakeFirst();
  return used !== undefined;
}
