/** Continues the bulk operations that are due, a set at a time. */
import { bulkPermissions } from '@milepost/api';
import { saveResults, listReadyItems } from '../../store/bulk/bulk-items.ts';
import {
  lockDueOperation,
  postponeOperation,
  secondsUntilDue,
  updateBulkOperation,
  type DueOperation,
} from '../../store/bulk/bulk-operations.ts';
import { readAuthorScopes } from '../../store/people/author-scopes.ts';
import type { Author } from '../../store/record/history.ts';
import { authorGone, inHalves, inSavepoint, runDueSets, runNextSet, Stopped, type DueWork } from '../due-sets.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { applySet } from './apply-set.ts';
import type { BulkContext } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';
import { checkSet, setSize } from './check-set.ts';

type WorkContext = Omit<EngineContext, 'author'>;

/** Returns if no operation is due within a second. */
export const runBulkOperations = (context: WorkContext, signal?: AbortSignal): Promise<void> =>
  runDueSets(context, workOf(context), signal);

/** Returns whether an operation was due. */
export const runSet = (context: WorkContext): Promise<boolean> => runNextSet(context, workOf(context));

const workOf = (context: WorkContext): DueWork<DueOperation> => ({
  lockDue: lockDueOperation,
  secondsUntilDue,
  postpone: postponeOperation,
  runSet: (tx, operation, wake) => continueWith({ ...context, db: tx, author: authorOf(operation), wake }, operation),
});

const authorOf = ({ kind, author_id: id, request_id: requestId }: DueOperation): Author => ({
  kind: 'user',
  id,
  requestId,
  operation: bulkRules[kind].operation,
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

const checkFailed = 'The check failed with an unexpected error. See the log of the worker.';

type Apply = (limit: number) => Promise<void>;

/** An experiment that cannot be written alone is refused. */
async function applyOrSplit(context: BulkContext, operation: DueOperation, apply: Apply): Promise<void> {
  if (await inHalves(setSize, (limit) => inSavepoint(context, () => apply(limit)))) return;
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
