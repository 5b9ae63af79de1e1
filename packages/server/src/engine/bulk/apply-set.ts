/**
 * Changes the next experiments of a bulk operation in one transaction, with the results of its items. So an experiment is changed once, even
 * if a worker dies. Experiments that another transaction has locked stay for a later set.
 */
import { listReadyItems, saveResults, type ReadyItem, type Refused } from '../../store/bulk/bulk-items.ts';
import { updateBulkOperation, type DueOperation } from '../../store/bulk/bulk-operations.ts';
import type { AuthorScopes } from '../../store/people/author-scopes.ts';
import { includesCohort } from '../../store/scope.ts';
import { Stopped } from '../due-sets.ts';
import { readExperiments, type PlannedChange, type Snapshot } from '../experiments/optimistic-lock.ts';
import type { BulkContext, Plan } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';
import { missing, rejectedBefore } from './check-set.ts';

/** After all have been tried, those that were locked are tried again. */
const waitSeconds = 1;

export async function applySet(
  context: BulkContext,
  operation: DueOperation,
  { change: scope }: AuthorScopes,
  limit: number,
): Promise<void> {
  const { id, rate, ready, checked_to: after } = operation;
  const started = performance.now();
  const items = await listReadyItems(context.db, { operationId: id, after, limit: Math.min(limit, rate) });
  if (items.some(({ cohort_id: cohortId }) => !includesCohort(scope, cohortId))) throw new Stopped(lostPermission);
  if (items.length === 0 && after === 0 && ready > 0) throw new Stopped(itemsRemoved);
  const results = await changeAll({ ...context, scope }, operation, items);
  await saveResults(context.db, id, results);
  const seconds = items.length === 0 ? waitSeconds : results.length / rate;
  const spent = (performance.now() - started) / 1000;
  await updateBulkOperation(
    context.db,
    id,
    {
      ...countsAfter(operation, results),
      // Experiments that were locked must not keep the others waiting.
      checked_to: after > 0 || results.length < items.length ? (items.at(-1)?.number ?? 0) : 0,
      per_minute: averaged(operation, results.length, Math.max(seconds, spent)),
    },
    { afterSeconds: Math.max(0, seconds - spent) },
  );
}

function countsAfter({ ready, done, refused }: DueOperation, results: readonly Result[]) {
  const refusedNow = results.filter((result) => result.refused).length;
  const left = ready - results.length;
  const counts = { ready: left, done: done + results.length - refusedNow, refused: refused + refusedNow };
  return left === 0 ? { ...counts, status: 'finished' as const } : counts;
}

const itemsRemoved = 'The list of experiments was removed, because the dry run is too old. Check again.';
const lostPermission = 'The author lost the permission in a cohort of the experiments.';

const averaged = ({ per_minute: before }: DueOperation, changed: number, seconds: number): number => {
  const now = (60 * changed) / seconds;
  return Math.round(before === null ? now : 0.7 * before + 0.3 * now);
};

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

const changed: Refused = { code: 'experiment_changed', detail: 'The experiment has changed since the check.' };

function plannedChange(snapshot: Snapshot, plans: ReadonlyMap<number, Plan>): PlannedChange[] {
  const plan = plans.get(snapshot.inputs.id);
  return plan !== undefined && plan !== 'wait' && 'change' in plan ? [{ snapshot, change: plan.change }] : [];
}
