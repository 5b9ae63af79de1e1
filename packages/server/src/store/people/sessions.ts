/**
 * Browser sessions. A session expires 12 hours after it started or 60 minutes after its last use, unless it is ended before.
 * Times come from the database clock. Only the SHA-256 of a session token is stored.
 */
import { recentSignInMinutes } from '@milepost/api';
import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { selectAccounts, type AccountRow } from './users.ts';

export interface SessionRow {
  id: number;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  address: string;
  user_agent: string;
}

export interface SessionAccountRow extends AccountRow {
  session_id: number;
  expires_at: string;
  /** Whether the recorded last use is more than a minute ago. */
  lastUseIsStale: boolean;
}

const isOpen = sql<boolean>`sessions.ended_at is null and sessions.expires_at > clock_timestamp()
  and sessions.last_used_at > clock_timestamp() - interval '60 minutes'`;

const lastUseIsStale = sql<boolean>`sessions.last_used_at < clock_timestamp() - interval '1 minute'`;

const columns = [
  'sessions.id',
  'sessions.created_at',
  'sessions.last_used_at',
  'sessions.expires_at',
  'sessions.address',
  'sessions.user_agent',
] as const;

/** Reads the account of an open session with its roles in one query, so that changes apply at once. */
export const findSessionAccount = (db: Db, tokenHash: Buffer): Promise<SessionAccountRow | undefined> =>
  selectAccounts(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select(['sessions.id as session_id', 'sessions.expires_at', lastUseIsStale.as('lastUseIsStale')])
    .where('sessions.token_hash', '=', tokenHash)
    .where('users.active', '=', true)
    .where(isOpen)
    .executeTakeFirst();

/** Whether the session started recently, so the user need not authenticate again. */
export async function isRecent(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('sessions.id')
    .where('sessions.id', '=', id)
    .where('sessions.created_at', '>', sql<string>`clock_timestamp() - make_interval(mins => ${recentSignInMinutes})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of many concurrent requests, one writes and none waits. A locked row is being updated or ended. */
export async function recordSessionUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: sql<string>`clock_timestamp()` })
    .where('sessions.id', 'in', (inner) =>
      inner
        .selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.id', '=', id)
        .where(isOpen)
        .where(lastUseIsStale)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

export interface SessionValues {
  user_id: number;
  token_hash: Buffer;
  address: string;
  user_agent: string;
}

/** The transaction has locked the user. The time of the last sign-in belongs to no version of the user. */
export async function insertSession(tx: Tx, values: SessionValues): Promise<SessionRow> {
  const session = await tx.insertInto('sessions').values(values).returning(columns).executeTakeFirstOrThrow();
  await tx
    .updateTable('users')
    .set({ last_sign_in_at: session.created_at })
    .where('users.id', '=', values.user_id)
    .execute();
  return session;
}

export const listSessions = (database: Database, userId: number, page: Page) =>
  readList(
    database,
    database.db.selectFrom('sessions').select(columns).where(isOpen),
    { id: 'sessions.id', parent: { column: 'sessions.user_id', id: userId } },
    page,
  );

/** Needs no user id, because the token itself gives access to the session. */
export const endSessionOfToken = (tx: Tx, tokenHash: Buffer): Promise<{ id: number; user_id: number } | undefined> =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('sessions.token_hash', '=', tokenHash)
    .where(isOpen)
    .returning(['sessions.id', 'sessions.user_id'])
    .executeTakeFirst();

/** Sessions of other users are reported as not found. */
export const endSession = (tx: Tx, userId: number, id: number): Promise<SessionRow> =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('sessions.id', '=', id)
    .where('sessions.user_id', '=', userId)
    .where(isOpen)
    .returning(columns)
    .executeTakeFirstOrThrow(() => notFound(`open session with id ${id}`));
