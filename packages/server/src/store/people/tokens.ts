/**
 * API tokens. A token is open until it expires or is revoked. Times come from the database clock. Only the SHA-256 of a token is
 * stored.
 */
import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { selectAccounts, type AccountRow } from './users.ts';

export interface TokenRow {
  id: number;
  name: string;
  permissions: string[];
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface TokenAccountRow extends AccountRow {
  token_id: number;
  token_name: string;
  token_permissions: string[];
  expires_at: string;
  revoked_at: string | null;
  expired: boolean;
  /** Whether the recorded last use is more than a minute ago. */
  lastUseIsStale: boolean;
}

const columns = [
  'api_tokens.id',
  'api_tokens.name',
  'api_tokens.permissions',
  'api_tokens.created_at',
  'api_tokens.expires_at',
  'api_tokens.last_used_at',
  'api_tokens.revoked_at',
] as const;

const expired = sql<boolean>`api_tokens.expires_at <= clock_timestamp()`;

const isOpen = sql<boolean>`api_tokens.revoked_at is null and api_tokens.expires_at > clock_timestamp()`;

const lastUseIsStale = sql<boolean>`(api_tokens.last_used_at is null
  or api_tokens.last_used_at < clock_timestamp() - interval '1 minute')`;

/** Reads the account of a token, even an expired or revoked one, with its roles in one query, so that changes apply at once. */
export const findTokenAccount = (db: Db, tokenHash: Buffer): Promise<TokenAccountRow | undefined> =>
  selectAccounts(db)
    .innerJoin('api_tokens', 'api_tokens.user_id', 'users.id')
    .select([
      'api_tokens.id as token_id',
      'api_tokens.name as token_name',
      'api_tokens.permissions as token_permissions',
      'api_tokens.expires_at',
      'api_tokens.revoked_at',
      expired.as('expired'),
      lastUseIsStale.as('lastUseIsStale'),
    ])
    .where('api_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst();

/** Of many concurrent requests, one writes and none waits. A locked row is being updated or revoked. */
export async function recordTokenUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: sql<string>`clock_timestamp()` })
    .where('api_tokens.id', 'in', (inner) =>
      inner
        .selectFrom('api_tokens')
        .select('api_tokens.id')
        .where('api_tokens.id', '=', id)
        .where(isOpen)
        .where(lastUseIsStale)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

export interface TokenValues {
  user_id: number;
  token_hash: Buffer;
  name: string;
  permissions: string[];
  expires_at: string;
}

export const insertToken = (tx: Tx, values: TokenValues): Promise<TokenRow> =>
  tx.insertInto('api_tokens').values(values).returning(columns).executeTakeFirstOrThrow();

export async function countOpenTokens(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('api_tokens.user_id', '=', userId)
    .where(isOpen)
    .executeTakeFirstOrThrow();
  return count;
}

export const listTokens = (database: Database, userId: number, page: Page) =>
  readList(
    database,
    database.db.selectFrom('api_tokens').select(columns),
    { id: 'api_tokens.id', parent: { column: 'api_tokens.user_id', id: userId } },
    page,
  );

export const revokeToken = (tx: Tx, userId: number, id: number): Promise<TokenRow> =>
  tx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<string>`clock_timestamp()` })
    .where('api_tokens.id', '=', id)
    .where('api_tokens.user_id', '=', userId)
    .where(isOpen)
    .returning(columns)
    .executeTakeFirstOrThrow(() => notFound(`active API token of this account with id ${id}`));
