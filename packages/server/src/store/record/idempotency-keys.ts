/**
 * Stores responses under the client's idempotency key for a day. The key is claimed and the response stored in the transaction
 * of the change, so both are committed or neither.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { idsOf, storedScope, type Scope } from '../scope.ts';

export interface KeyedRequest {
  actor: { kind: 'user' | 'execution'; id: number };
  key: string;
  operation: string;
  /** A hash of the whole request. Using the key for a different request is an error. */
  hash: Buffer;
  /** The request that makes the change, as in the history. */
  requestId: string | null;
  /** The caller's scope. */
  scope: Scope;
  /** The response is not stored, because it can name a subject. */
  uriOnly: boolean;
}

export interface StoredResponse {
  hash: Buffer;
  status: number;
  /** Null if it was too long to store, or can contain a secret or name a subject. */
  body: string | null;
  location: string | null;
  /** The caller's scope at that time. */
  scope: Scope;
}

/** Returns the response stored for the key, or undefined if the key is now claimed. Waits for a request that holds the key. */
export async function claimKey(tx: Tx, keyed: KeyedRequest): Promise<StoredResponse | undefined> {
  const { actor, key, operation, hash, requestId } = keyed;
  await sql`
    delete from idempotency_keys as one where one.actor_kind = ${actor.kind} and one.actor_id = ${actor.id}
      and one.key = ${key} and one.created_at < now() - interval '24 hours'`.execute(tx);
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ actor_kind: actor.kind, actor_id: actor.id, key, operation, request_hash: hash, request_id: requestId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idempotency_keys.key')
    .executeTakeFirst();
  if (claimed) return undefined;
  // If there is no response, the key was rolled back or removed after the insert.
  return (await findStoredResponse(tx, keyed)) ?? claimKey(tx, keyed);
}

/** Also undefined while another request is using the key. */
export async function findStoredResponse(db: Db, { actor, key }: KeyedRequest): Promise<StoredResponse | undefined> {
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['idempotency_keys.request_hash as hash', 'idempotency_keys.status', 'idempotency_keys.body'])
    .select(['idempotency_keys.location', 'idempotency_keys.scope'])
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .where('idempotency_keys.created_at', '>=', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return stored && { ...stored, status: stored.status ?? 0, scope: storedScope(stored.scope) };
}

export async function storeResponse(
  tx: Tx,
  { actor, key, scope, uriOnly }: KeyedRequest,
  { status, body, location }: Omit<StoredResponse, 'hash' | 'scope'>,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, body: uriOnly ? null : body, location, scope: idsOf(scope) })
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .execute();
}

/** After a rejected request, the key can be used again. */
export async function releaseKey(tx: Tx, { actor, key }: KeyedRequest): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .execute();
}
