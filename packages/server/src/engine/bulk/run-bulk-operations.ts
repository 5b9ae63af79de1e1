/**
 * Continues the bulk operations that are due, a set at a time. Any number of workers can do so at the same time: each locks an operation for
 * one set. There is no job that could expire, because the row of the operation says how far it is.
 */
import { bulkPermissions } from '@milepost/api';
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '../../database/connection.ts';
import { problemFromDatabase } from '../../database/problem-from-database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { saveResults, listReadyItems } from '../../store/bulk/bulk-items.ts';
import {
  lockDueOperation,
  postponeOperation,
  secondsUntilDue,
  updateBulkOperation,
  type DueOperation,
} from '../../store/bulk/bulk-operations.ts';
import { readAuthorScopes } from '../../store/people/author-scopes.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { applySet } from './apply-set.ts';
import type { BulkContext } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';
import { checkSet, setSize, Stopped } from './check-set.ts';

const shortestPause = 250;
const errorPauseSeconds = 5;

type WorkContext = Omit<EngineContext, 'author'>;

/** Returns if no operation is due within a second. */
export async function runBulkOperations(context: WorkContext, signal?: AbortSignal): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  for (let seconds = 0; seconds <= 1 && !isStopped();) {
    if (await runSet(context)) continue;
    seconds = (await secondsUntilDue(context.db)) ?? Infinity;
    // An operation that another worker has locked is due, too.
    if (seconds <= 1)
      await pause(Math.max(shortestPause, 1000 * seconds), undefined, signal && { signal }).catch(() => undefined);
  }
}

/** Returns whether an operation was due. */
export async function runSet(context: WorkContext): Promise<boolean> {
  const queues = new Set<string>();
  let id = 0;
  const found = await inTransaction(context.db, async (tx) => {
    const operation = await lockDueOperation(tx);
    id = operation?.id ?? 0;
    if (operation) await continueWith(contextOf(context, tx, operation, queues), operation);
    return operation !== undefined;
  }).catch(async (error: unknown) => {
    if (id > 0) await postponeOperation(context.db, id, errorPauseSeconds);
    throw error;
  });
  // After the commit, so that workers find the jobs.
  if (queues.size > 0) context.wake([...queues]);
  return found;
}

const contextOf = (context: WorkContext, tx: Tx, operation: DueOperation, queues: Set<string>): BulkContext => ({
  ...context,
  db: tx,
  author: {
    kind: 'user',
    id: operation.author_id,
    requestId: operation.request_id,
    operation: bulkRules[operation.kind].operation,
  },
  wake: (woken) => woken.forEach((queue) => queues.add(queue)),
});

async function continueWith(context: BulkContext, operation: DueOperation): Promise<void> {
  const { db } = context;
  try {
    const scopes = await readAuthorScopes(db, operation, bulkPermissions[operation.kind]);
    if (!scopes.active) throw new Stopped(authorGone);
    if (operation.status === 'running')
      await applyOrSplit(context, operation, (limit) => applySet(context, operation, scopes, limit));
    else if (!(await inSavepoint(context, () => checkSet(context, operation, scopes)))) throw new Stopped(checkFailed);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await updateBulkOperation(db, operation.id, { status: 'stopped', stopped_because: error.message });
  }
}

const authorGone = 'The account of the author was deactivated, or the API token expired or was revoked.';
const checkFailed = 'The check failed with an unexpected error. See the log of the worker.';

type Apply = (limit: number) => Promise<void>;

/** If a set cannot be written, half of it is tried, and so on. The first experiment is refused if it cannot be written alone. */
async function applyOrSplit(context: BulkContext, operation: DueOperation, apply: Apply): Promise<void> {
  for (let limit = setSize; limit >= 1; limit = Math.floor(limit / 2)) {
    if (await inSavepoint(context, () => apply(limit))) return;
  }
  const [first] = await listReadyItems(context.db, {
    operationId: operation.id,
    after: operation.checked_to,
    limit: 1,
  });
  if (!first) return;
  await saveResults(context.db, operation.id, [{ number: first.number, refused: failed }]);
  const { ready, refused } = operation;
  const status = ready === 1 ? { status: 'finished' as const } : {};
  await updateBulkOperation(context.db, operation.id, { ready: ready - 1, refused: refused + 1, ...status });
}

const failed = {
  code: 'internal_error',
  detail: 'The change failed with an unexpected error. See the log of the worker.',
};

/** A statement that takes too long is not: it would take too long again. */
function isTemporary(error: unknown): boolean {
  const { code } = problemFromDatabase(error) ?? {};
  const { code: reported } = error as { code?: unknown };
  return code === 'database_unavailable' || (code === 'busy' && reported !== '57014');
}

/** Returns whether it succeeded. Throws after a temporary error, so that the whole set is tried again. */
async function inSavepoint(context: BulkContext, work: () => Promise<void>): Promise<boolean> {
  await sql`savepoint before_set`.execute(context.db);
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Stopped || isTemporary(error)) throw error;
    await sql`rollback to savepoint before_set`.execute(context.db);
    context.onError(error);
    return false;
  }
}
