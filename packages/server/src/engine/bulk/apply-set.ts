/**
 * Changes the next experiments of a bulk operation in one transaction, with the results of its items. So an experiment is changed once, even
 * if a worker dies. Experiments that another transaction has locked stay for a later set.
 */
import { bulkPermissions } from '@milepost/api';
import { listReadyItems, saveResults, type ReadyItem, type Refused } from '../../store/bulk/bulk-items.ts';
import { updateBulkOperation, type DueOperation } from '../../store/bulk/bulk-operations.ts';
import type { Tx } from '../../database/connection.ts';
import type { AuthorScopes } from '../../store/people/author-scopes.ts';
import { includesCohort } from '../../store/scope.ts';
import { isAnyWorkflowLocked } from '../../store/workflows/workflows.ts';
import { beingChanged, paceAfter, pauseSeconds, Stopped, workflowImported } from '../due-sets.ts';
import { readExperiments, type PlannedChange, type Snapshot } from '../experiments/optimistic-lock.ts';
import type { BulkContext, Plan } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';
import { missing, rejectedBefore } from './check-set.ts';

export async function applySet(
  context: BulkContext,
  operation: DueOperation,
  { change: scope }: AuthorScopes,
  limit: number,
): Promise<void> {
  const { id, rate, ready, per_minute: perMinute } = operation;
  const started = performance.now();
  const items = await listNextItems(context.db, operation, Math.min(limit, rate));
  if (items.some(({ cohort_id: cohortId }) => !includesCohort(scope, cohortId)))
    throw new Stopped(lostPermission(operation));
  if (items.length === 0 && ready > 0) throw new Stopped(itemsRemoved);
  const results = await changeAll({ ...context, scope }, operation, items);
  // Experiments that were locked must not keep the others waiting.
  const checked_to = items.at(-1)?.number ?? 0;
  if (items.length > 0 && results.length === 0) {
    const waitingFor = await findObstacle(context.db, items);
    return updateBulkOperation(context.db, id, { checked_to }, { afterSeconds: pauseSeconds, waitingFor });
  }
  await saveResults(context.db, id, results);
  const { afterSeconds, per_minute } = paceAfter({ started, changed: results.length, rate, perMinute });
  const counts = countsAfter(operation, results);
  await updateBulkOperation(context.db, id, { ...counts, checked_to, per_minute }, { afterSeconds });
}

/** After all have been tried, those that were locked are tried again. */
export async function listNextItems(
  tx: Tx,
  { id: operationId, checked_to: after }: DueOperation,
  limit: number,
): Promise<ReadyItem[]> {
  const items = await listReadyItems(tx, { operationId, after, limit });
  return items.length > 0 || after === 0 ? items : listReadyItems(tx, { operationId, after: 0, limit });
}

async function findObstacle(tx: Tx, items: readonly ReadyItem[]): Promise<string> {
  const ids = items.map((item) => item.experiment_id);
  return (await isAnyWorkflowLocked(tx, ids)) ? workflowImported : beingChanged;
}

function countsAfter({ ready, done, refused }: DueOperation, results: readonly Result[]) {
  const refusedNow = results.filter((result) => result.refused).length;
  const left = ready - results.length;
  const counts = { ready: left, done: done + results.length - refusedNow, refused: refused + refusedNow };
  return left === 0 ? { ...counts, status: 'finished' as const } : counts;
}

const itemsRemoved = 'The list of experiments was removed, because the dry run is too old. Check again.';
const lostPermission = ({ kind }: DueOperation) =>
  `The author lost the permission \`${bulkPermissions[kind]}\` in a cohort of the experiments.`;

interface Result {
  number: number;
  refused: Refused | undefined;
}

async function changeAll(
  context: BulkContext,
  { id, kind, change, reason }: DueOperation,
  items: readonly ReadyItem[],
): Promise<Result[]> {
  const rule = bulkRules[kind];
  const ids = items.map((item) => item.experiment_id);
  const snapshots = await readExperiments(context, ids);
  const refusals = new Map<number, Refused | undefined>();
  const open: Snapshot[] = [];
  for (const { number, experiment_id: experimentId, version } of items) {
    const snapshot = snapshots.get(experimentId);
    const hasChanged = snapshot?.inputs.version !== version && !rule.ignoresChanges;
    if (!snapshots.has(experimentId)) refusals.set(number, missing);
    else if (!snapshot) continue;
    else if (hasChanged) refusals.set(number, changed);
    else if (snapshot.inputs.withdrawn) refusals.set(number, rejectedBefore(snapshot, { kind, isPermitted: true }));
    else open.push(snapshot);
  }
  const request = { id, change, reason, isDryRun: false };
  const plans = await rule.plan(context, open, request);
  const changes = open.flatMap((snapshot) => plannedChange(snapshot, plans));
  const written = await rule.write(context, changes, request);
  return items.flatMap(({ number, experiment_id: experimentId }) => {
    if (refusals.has(number)) return [{ number, refused: refusals.get(number) }];
    if (written.has(experimentId)) return [{ number, refused: undefined }];
    const plan = plans.get(experimentId);
    return plan !== undefined && plan !== 'wait' && 'refused' in plan ? [{ number, refused: plan.refused }] : [];
  });
}

const changed: Refused = {
  code: 'experiment_changed',
  detail: 'The experiment has changed since the check. Check again.',
};

function plannedChange(snapshot: Snapshot, plans: ReadonlyMap<number, Plan>): PlannedChange[] {
  const plan = plans.get(snapshot.inputs.id);
  return plan !== undefined && plan !== 'wait' && 'change' in plan ? [{ snapshot, change: plan.change }] : [];
}
