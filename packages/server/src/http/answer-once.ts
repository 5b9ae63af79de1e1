/**
 * `Idempotency-Key`: a request that is repeated with the same key within 24 hours has one effect and the same answer, also
 * when the first answer never arrived. The handler then works inside the transaction in which the key is claimed and the
 * answer is kept. A refusal undoes everything, the claim included: it had no effect, and may be different next time.
 */
import { createHash } from 'node:crypto';
import { takesKey, type Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { invalid, Problem } from '../errors.ts';
import {
  claimKey,
  findAnswer,
  keepAnswer,
  releaseKey,
  type KeyedRequest,
  type KeptAnswer,
} from '../store/idempotency-keys.ts';
import { isWithin } from '../store/scope.ts';
import type { Answer, AnyHandler, Call, Handle } from './call.ts';
import { prune } from './field-mask.ts';
import { holdsRows } from './send.ts';

const longestKept = 64 * 1024;

/** An answer that was kept: its body is text already. */
export interface Replayed {
  replayed: KeptAnswer;
}

export async function answerOnce(
  request: FastifyRequest,
  operation: Operation,
  call: Call,
  handler: AnyHandler,
): Promise<Answer<unknown> | Replayed> {
  const keyed = await keyedRequest(request, operation, call);
  if (!keyed) return (await handleOf(handler, call))(call);
  const known = typeof handler === 'function' ? undefined : await findAnswer(call.database.db, keyed);
  if (known) return replay(keyed, known);
  const handle = await handleOf(handler, call);
  const later: ((db: Db) => void)[] = [];
  const afterCommit: Call['afterCommit'] = (work) => void later.push(work);
  const { db } = call.database;
  const answer = await inTransaction(db, async (tx) => {
    const kept = await claimKey(tx, keyed);
    if (kept) return replay(keyed, kept);
    const made = await orRefusal(handle({ ...call, database: { ...call.database, db: tx }, afterCommit }));
    if (made instanceof Problem) await releaseKey(tx, keyed);
    else await keepAnswer(tx, keyed, keptOf(call, made, request));
    return made;
  });
  for (const work of later) work(db);
  if (answer instanceof Problem) throw answer;
  return answer;
}

/** A first part comes behind the look for an answer: a repeat neither takes long again nor is judged anew. */
const handleOf = async (handler: AnyHandler, call: Call): Promise<Handle> =>
  typeof handler === 'function' ? handler : handler.first(call);

/** A refusal that leaves something in the history must not undo it. */
const orRefusal = (answer: Promise<Answer<unknown>>) =>
  answer.catch((error: unknown) => {
    if (error instanceof Problem && error.keepsWritten) return error;
    throw error;
  });

/** Undefined where there is no key, or nothing that it could be for. */
async function keyedRequest(
  request: FastifyRequest,
  operation: Operation,
  call: Call,
): Promise<KeyedRequest | undefined> {
  const { 'idempotency-key': key } = request.headers;
  if (key === undefined || !takesKey(operation)) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid({
      pointer: 'Idempotency-Key',
      detail:
        'The header Idempotency-Key must have 1 to 255 printable ASCII characters without blanks, such as a UUID.',
    });
  }
  if (isDryRun(call)) return undefined;
  const actor = call.execution
    ? { kind: 'execution' as const, id: call.execution.id }
    : { kind: 'user' as const, id: call.account.id };
  const asked = [request.method, request.url, request.headers['x-fields'] ?? '', JSON.stringify(call.body ?? null)];
  const text = asked.join('\0');
  // Of passwords nothing stands in the database from which they could be guessed faster than from what sign-in compares.
  const hash =
    operation.carries === 'passwords'
      ? await call.passwords.digest(text, sha256(`${actor.kind}\0${actor.id}\0${key}`))
      : sha256(text);
  const { operation: name, requestId } = call.author;
  return { actor, key, operation: name, hash, requestId, scope: call.account.scope };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const isDryRun = ({ query }: Call) => (query as { dry_run?: boolean }).dry_run === true;

function replay({ hash, scope }: KeyedRequest, kept: KeptAnswer): Replayed {
  if (!kept.hash.equals(hash)) {
    throw new Problem(
      'key_reused',
      'This Idempotency-Key came with another request before. Take a new key for each request.',
    );
  }
  // What was answered may tell of a cohort that the caller has lost since.
  if (!isWithin(kept.scope, scope)) {
    throw new Problem('not_allowed', 'Your roles for cohorts have changed since this request was answered.');
  }
  return { replayed: kept };
}

/** What is too long, streamed or secret is not kept: the repeat is told where to look. */
function keptOf({ fields }: Call, { status, body }: Answer<unknown>, request: FastifyRequest) {
  const shown = status < 400 ? prune(fields, body) : body;
  const text = holdsRows(shown) ? undefined : JSON.stringify(shown);
  const { uri } = (typeof body === 'object' && body !== null ? body : {}) as { uri?: unknown };
  const location = typeof uri === 'string' ? uri : (request.url.split('?', 1)[0] ?? '');
  const short = text !== undefined && Buffer.byteLength(text) <= longestKept;
  return { status, body: short ? text : null, location };
}
