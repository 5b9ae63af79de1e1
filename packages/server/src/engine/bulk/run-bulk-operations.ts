/** Continues the bulk operations that are due, a set at a time. */
import { bulkPermissions } from '@milepost/api';
import { saveResults } from '../../store/bulk/bulk-items.ts';
import {
  lockDueOperation,
  postponeOperation,
  secondsUntilDue,
  updateBulkOperation,
  type DueOperation,
} from '../../store/bulk/bulk-operations.ts';
import { readAuthorScopes, type AuthorScopes } from '../../store/people/author-scopes.ts';
import type { Author } from '../../store/record/history.ts';
import {
  authorGone,
  inHalves,
  inSavepoint,
  isDone,
  runDueSets,
  runNextSet,
  Stopped,
  stopIfTriedTooOften,
  unexpectedly,
  type DueWork,
} from '../due-sets.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { applySet, listNextItems } from './apply-set.ts';
import type { BulkContext } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';
import { checkSet, refuseNext, runQuery, setSize } from './check-set.ts';

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
    stopIfTriedTooOften(operation);
    const scopes = await readAuthorScopes(db, operation, bulkPermissions[operation.kind]);
    if (!scopes.active) throw new Stopped(authorGone);
    if (operation.status === 'running') await applyOrSplit(context, operation, scopes);
    else if (operation.has_to_query) await orStop(context, operation, () => runQuery(context, operation, scopes));
    else await checkOrSplit(context, operation, scopes);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await updateBulkOperation(db, operation.id, { status: 'stopped', stopped_because: error.message });
  }
}

async function orStop(context: BulkContext, operation: DueOperation, step: () => Promise<void>): Promise<void> {
  if (!isDone(await inSavepoint(context, step), operation)) throw new Stopped(checkFailed);
}

const checkFailed = `The check ${unexpectedly}`;

type Split = (context: BulkContext, operation: DueOperation, scopes: AuthorScopes) => Promise<void>;

/** An experiment that cannot be checked alone is refused. */
const checkOrSplit: Split = async (context, operation, scopes) => {
  const check = (limit: number) => inSavepoint(context, () => checkSet(context, operation, scopes, limit));
  if (await inHalves(setSize, operation, check)) return;
  await orStop(context, operation, () => refuseNext(context, operation, uncheckable));
};

/** An experiment that cannot be written alone is refused. */
const applyOrSplit: Split = async (context, operation, scopes) => {
  const apply = (limit: number) => inSavepoint(context, () => applySet(context, operation, scopes, limit));
  if (await inHalves(setSize, operation, apply)) return;
  const [first] = await listNextItems(context.db, operation, 1);
  if (!first) return;
  await saveResults(context.db, operation.id, [{ number: first.number, refused: failed }]);
  const { ready, refused } = operation;
  const status = ready === 1 ? { status: 'finished' as const } : {};
  await updateBulkOperation(context.db, operation.id, { ready: ready - 1, refused: refused + 1, ...status });
};

const uncheckable = { code: 'internal_error', detail: checkFailed };
const failed = { code: 'internal_error', detail: `The change ${unexpectedly}` };
