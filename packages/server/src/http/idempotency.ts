/**
 * `Idempotency-Key`: a request repeated with the same key within 24 hours has one effect and gets the same response, even if
 * the first response was lost. The handler runs in the transaction that claims the key and stores the response. A rejected
 * request rolls back everything, including the claim, because it had no effect and may succeed next time.
 */
import { createHash } from 'node:crypto';
import { acceptsIdempotencyKey, type Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../database/connection.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { inTransaction } from '../database/transaction.ts';
import { invalid, Problem } from '../errors.ts';
import {
  claimKey,
  findStoredResponse,
  storeResponse,
  releaseKey,
  type KeyedRequest,
  type StoredResponse,
} from '../store/record/idempotency-keys.ts';
import { isWithin } from '../store/scope.ts';
import type { Answer, AnyHandler, Call, Handle } from './call.ts';
import { prune } from './field-mask.ts';
import { holdsRows } from './send.ts';

const longestKept = 64 * 1024;

/** A stored response, whose body is already serialised. */
export interface Replayed {
  replayed: StoredResponse;
}

/** A conflict rolls back the whole request, with or without a key, and the request is handled again. */
export async function handleIdempotently(
  request: FastifyRequest,
  operation: Operation,
  call: Call,
  handler: AnyHandler,
): Promise<Answer<unknown> | Replayed> {
  const keyed = await keyedRequest(request, operation, call);
  const known = !keyed || typeof handler === 'function' ? undefined : await findStoredResponse(call.database.db, keyed);
  if (keyed && known) return replay(keyed, known);
  const handle = await handleOf(handler, call);
  return retryOnConflict(() => (keyed ? handleWithKey(request, call, keyed, handle) : handle(call)));
}

async function handleWithKey(
  request: FastifyRequest,
  call: Call,
  keyed: KeyedRequest,
  handle: Handle,
): Promise<Answer<unknown> | Replayed> {
  const later: ((db: Db) => void)[] = [];
  const afterCommit: Call['afterCommit'] = (work) => void later.push(work);
  const { db } = call.database;
  const answer = await inTransaction(db, async (tx) => {
    const kept = await claimKey(tx, keyed);
    if (kept) return replay(keyed, kept);
    const made = await orRefusal(handle({ ...call, database: { ...call.database, db: tx }, afterCommit }));
    if (made instanceof Problem) await releaseKey(tx, keyed);
    else await storeResponse(tx, keyed, responseToStore(call, made, request));
    return made;
  });
  for (const work of later) work(db);
  if (answer instanceof Problem) throw answer;
  return answer;
}

/** The first phase runs after the lookup, so a repeated request does not repeat slow work and is not validated again. */
const handleOf = async (handler: AnyHandler, call: Call): Promise<Handle> =>
  typeof handler === 'function' ? handler : handler.first(call);

/** A rejection that is recorded in the history must not be rolled back. */
const orRefusal = (answer: Promise<Answer<unknown>>) =>
  answer.catch((error: unknown) => {
    if (error instanceof Problem && error.keepsChanges) return error;
    throw error;
  });

/** Undefined if there is no key or the operation ignores it. */
async function keyedRequest(
  request: FastifyRequest,
  operation: Operation,
  call: Call,
): Promise<KeyedRequest | undefined> {
  const { 'idempotency-key': key } = request.headers;
  if (key === undefined || !acceptsIdempotencyKey(operation)) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid({
      pointer: 'Idempotency-Key',
      detail: 'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces, such as a UUID.',
    });
  }
  if (isDryRun(call)) return undefined;
  const actor = call.execution
    ? { kind: 'execution' as const, id: call.execution.id }
    : { kind: 'user' as const, id: call.account.id };
  const parts = [request.method, request.url, request.headers['x-fields'] ?? '', JSON.stringify(call.body ?? null)];
  const text = parts.join('\0');
  // A fast hash of a body with a password would be easier to guess from than the stored password hash.
  const hash =
    operation.carries === 'passwords'
      ? await call.passwords.digest(text, sha256(`${actor.kind}\0${actor.id}\0${key}`))
      : sha256(text);
  const { operation: name, requestId } = call.author;
  const uriOnly = operation.idempotencyKey === 'uri';
  return { actor, key, operation: name, hash, requestId, scope: call.account.scope, uriOnly };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const isDryRun = ({ query }: Call) => (query as { dry_run?: boolean }).dry_run === true;

function replay({ hash, scope }: KeyedRequest, kept: StoredResponse): Replayed {
  if (!kept.hash.equals(hash)) {
    throw new Problem(
      'key_reused',
      'This Idempotency-Key was already used for a different request. Use a new key for each request.',
    );
  }
  // The stored response may show a cohort that the caller can no longer access.
  if (!isWithin(kept.scope, scope)) {
    throw new Problem(
      'not_allowed',
      'Your roles in cohorts have changed since the first request with this Idempotency-Key.',
    );
  }
  return { replayed: kept };
}

/** Long and streamed responses are not stored. A repeated request gets the location instead. */
function responseToStore({ fields }: Call, { status, body }: Answer<unknown>, request: FastifyRequest) {
  const shown = status < 400 ? prune(fields, body) : body;
  const text = holdsRows(shown) ? undefined : JSON.stringify(shown);
  const { uri } = (typeof body === 'object' && body !== null ? body : {}) as { uri?: unknown };
  const location = typeof uri === 'string' ? uri : (request.url.split('?', 1)[0] ?? '');
  const short = text !== undefined && Buffer.byteLength(text) <= longestKept;
  return { status, body: short ? text : null, location };
}
