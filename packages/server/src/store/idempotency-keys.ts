/**
 * Answers to requests that may come again, kept for a day under the key that the client gave them. A key is claimed and its
 * answer stored in the transaction of the effect: either both are there or neither.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';
import { idsOf, storedScope, type Scope } from './scope.ts';

export interface KeyedRequest {
  actor: { kind: 'user' | 'execution'; id: number };
  key: string;
  operation: string;
  /** Of everything that the request asks for: the same key with another request is a mistake. */
  hash: Buffer;
  /** The request that has the effect, as the history names it. */
  requestId: string | null;
  /** What the caller reaches. */
  scope: Scope;
}

export interface KeptAnswer {
  hash: Buffer;
  status: number;
  /** Null where it was too long to keep, or held a secret. */
  body: string | null;
  location: string | null;
  /** What the caller reached when it was made. */
  scope: Scope;
}

/** The answer that the key has already; undefined where it was free and is ours now. Waits for whoever has it just now. */
export async function claimKey(tx: Tx, keyed: KeyedRequest): Promise<KeptAnswer | undefined> {
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
  // Where there is none, it was undone or forgotten since the insert met it.
  return (await findAnswer(tx, keyed)) ?? claimKey(tx, keyed);
}

/** Undefined also where somebody is about to make it just now. */
export async function findAnswer(db: Db, { actor, key }: KeyedRequest): Promise<KeptAnswer | undefined> {
  const kept = await db
    .selectFrom('idempotency_keys')
    .select(['idempotency_keys.request_hash as hash', 'idempotency_keys.status', 'idempotency_keys.body'])
    .select(['idempotency_keys.location', 'idempotency_keys.scope'])
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .where('idempotency_keys.created_at', '>=', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return kept && { ...kept, status: kept.status ?? 0, scope: storedScope(kept.scope) };
}

export async function keepAnswer(
  tx: Tx,
  { actor, key, scope }: KeyedRequest,
  { status, body, location }: Omit<KeptAnswer, 'hash' | 'scope'>,
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, body, location, scope: idsOf(scope) })
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .execute();
}

/** A request that was refused may come again. */
export async function releaseKey(tx: Tx, { actor, key }: KeyedRequest): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('idempotency_keys.actor_kind', '=', actor.kind)
    .where('idempotency_keys.actor_id', '=', actor.id)
    .where('idempotency_keys.key', '=', key)
    .execute();
}
