/**
 * The sessions of browsers. A session is open until it is ended, 12 hours after it began, or 60 minutes after it was last
 * used; times are those of the database. A token is known by its SHA-256 alone.
 */
import { recentMinutes } from '@milepost/api';
import { sql } from 'kysely';
import { notFound } from '../errors.ts';
import type { Database, Db, Tx } from '../database/connection.ts';
import { readList, type Page } from '../database/read-list.ts';
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
  /** Whether more than a minute passed since its use was written down. */
  unnoted: boolean;
}

const isOpen = sql<boolean>`sessions.ended_at is null and sessions.expires_at > clock_timestamp()
  and sessions.last_used_at > clock_timestamp() - interval '60 minutes'`;

const unnoted = sql<boolean>`sessions.last_used_at < clock_timestamp() - interval '1 minute'`;

const columns = [
  'sessions.id',
  'sessions.created_at',
  'sessions.last_used_at',
  'sessions.expires_at',
  'sessions.address',
  'sessions.user_agent',
] as const;

/** The account behind an open session with what its roles carry, in one query: rights and endings act at once. */
export const findSessionAccount = (db: Db, tokenHash: Buffer): Promise<SessionAccountRow | undefined> =>
  selectAccounts(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select(['sessions.id as session_id', 'sessions.expires_at', unnoted.as('unnoted')])
    .where('sessions.token_hash', '=', tokenHash)
    .where('users.active', '=', true)
    .where(isOpen)
    .executeTakeFirst();

/** Whether somebody signed in just now, so that it is likely still them. */
export async function isRecent(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('sessions.id')
    .where('sessions.id', '=', id)
    .where('sessions.created_at', '>', sql<string>`clock_timestamp() - make_interval(mins => ${recentMinutes})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of many requests at once one writes, and none waits: a row that somebody holds is being noted or ended. */
export async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: sql<string>`clock_timestamp()` })
    .where('sessions.id', 'in', (inner) =>
      inner
        .selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.id', '=', id)
        .where(isOpen)
        .where(unnoted)
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

export const insertSession = (tx: Tx, values: SessionValues): Promise<SessionRow> =>
  tx.insertInto('sessions').values(values).returning(columns).executeTakeFirstOrThrow();

export const listSessions = (database: Database, userId: number, page: Page) =>
  readList(
    database,
    database.db.selectFrom('sessions').select(columns).where(isOpen),
    { id: 'sessions.id', parent: { column: 'sessions.user_id', id: userId } },
    page,
  );

/** Whosever it is: who has its token could end it anyway. */
export const endSessionOfToken = (tx: Tx, tokenHash: Buffer): Promise<{ id: number; user_id: number } | undefined> =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('sessions.token_hash', '=', tokenHash)
    .where(isOpen)
    .returning(['sessions.id', 'sessions.user_id'])
    .executeTakeFirst();

/** Of somebody else's session nobody learns whether it exists. */
export const endSession = (tx: Tx, userId: number, id: number): Promise<SessionRow> =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('sessions.id', '=', id)
    .where('sessions.user_id', '=', userId)
    .where(isOpen)
    .returning(columns)
    .executeTakeFirstOrThrow(() => notFound(`open session of yours with the id ${id}`));
