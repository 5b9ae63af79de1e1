/**
 * The dry run of a bulk operation: runs its query once, then chooses the next experiments, plans the change of each without writing it, and
 * adds them as items with their versions.
 */
import { bulkPermissions, maxBulkExperiments, queries } from '@milepost/api';
import {
  insertItems,
  listGivenIds,
  saveGivenIds,
  listRefusedIds,
  type CheckedItem,
  type Refused,
} from '../../store/bulk/bulk-items.ts';
import { updateBulkOperation, type DueOperation } from '../../store/bulk/bulk-operations.ts';
import type { AuthorScopes } from '../../store/people/author-scopes.ts';
import { listFoundIds } from '../../store/queries/list-found-ids.ts';
import { resolveQuery } from '../../store/queries/resolve-query.ts';
import { includesCohort } from '../../store/scope.ts';
import { isTooSlow } from '../../database/problem-from-database.ts';
import { Stopped } from '../due-sets.ts';
import { withdrawnDetail } from '../experiments/explain-transitions.ts';
import { readExperiments, type Snapshot } from '../experiments/optimistic-lock.ts';
import type { BulkContext, Plan } from './bulk-rule.ts';
import { bulkRules } from './bulk-rules.ts';

export const setSize = 500;

interface Chosen {
  ids: number[];
  /** Where the next set continues. Undefined after the last one. */
  next: number | undefined;
}

export async function checkSet(
  context: BulkContext,
  operation: DueOperation,
  scopes: AuthorScopes,
  limit: number,
): Promise<void> {
  const chosen = await chooseNext(context, operation, limit);
  const items = await checkAll({ ...context, scope: scopes.read }, operation, chosen.ids, scopes);
  await saveChecked(context, operation, chosen, items);
}

/** For an experiment that cannot be checked. */
export async function refuseNext(context: BulkContext, operation: DueOperation, refused: Refused): Promise<void> {
  const chosen = await chooseNext(context, operation, 1);
  const items = chosen.ids.map((experimentId) => ({ experimentId, cohortId: null, version: null, refused }));
  await saveChecked(context, operation, chosen, items);
}

async function saveChecked(
  { db }: BulkContext,
  operation: DueOperation,
  { next }: Chosen,
  items: readonly CheckedItem[],
): Promise<void> {
  const { id, experiments, ready, refused, cohort_ids: cohorts } = operation;
  await insertItems(db, operation, items);
  const refusedNow = items.filter((item) => item.refused).length;
  await updateBulkOperation(db, id, {
    experiments: experiments + items.length,
    ready: ready + items.length - refusedNow,
    refused: refused + refusedNow,
    cohort_ids: [...new Set([...cohorts, ...items.flatMap(({ cohortId }) => cohortId ?? [])])],
    ...(next === undefined
      ? { status: operation.starts_itself ? 'running' : 'checked', experiment_ids: null, checked_to: 0 }
      : { checked_to: next }),
  });
}

const tooSlow = 'The query takes too long. Narrow it.';
const tooMany = `The query finds more than ${maxBulkExperiments.toLocaleString('en')} experiments. Narrow it.`;

async function chooseNext(
  { db }: BulkContext,
  { id, refused_of: refusedOf, checked_to: after }: DueOperation,
  limit: number,
): Promise<Chosen> {
  if (refusedOf !== null) {
    const items = await listRefusedIds(db, { operationId: refusedOf, after, limit });
    const next = items.length < limit ? undefined : items.at(-1)?.number;
    return { ids: items.map((item) => item.experiment_id), next };
  }
  const ids = await listGivenIds(db, { operationId: id, after, limit });
  return { ids, next: ids.length < limit ? undefined : after + limit };
}

/** The experiments of the query at this moment. Later ones are not part of the operation. */
export async function runQuery(
  { db }: BulkContext,
  { id, query: text, author_id: authorId }: DueOperation,
  { read: scope }: AuthorScopes,
): Promise<void> {
  const query = await resolveQuery(db, { id: authorId, scope }, queries.readQuery(text ?? '').terms);
  if ('errors' in query) throw new Stopped(query.errors.map(({ message }) => message).join(' '));
  const ids = await listFoundIds(db, scope, query, maxBulkExperiments + 1).catch((error: unknown) => {
    throw isTooSlow(error) ? new Stopped(tooSlow) : error;
  });
  if (ids.length > maxBulkExperiments) throw new Stopped(tooMany);
  await saveGivenIds(db, id, ids);
  await updateBulkOperation(db, id, {});
}

async function checkAll(
  context: BulkContext,
  { id, kind, change, reason }: DueOperation,
  ids: readonly number[],
  { change: changeable }: AuthorScopes,
): Promise<CheckedItem[]> {
  const snapshots = await readExperiments(context, ids);
  const known = [...snapshots.values()].filter((snapshot) => snapshot !== undefined);
  const permitted = known.filter(({ inputs }) => includesCohort(changeable, inputs.cohort_id) && !inputs.withdrawn);
  const plans = await bulkRules[kind].plan(context, permitted, { id, change, reason, isDryRun: true });
  const refusedAs = (snapshot: Snapshot) =>
    rejectedBefore(snapshot, { kind, isPermitted: includesCohort(changeable, snapshot.inputs.cohort_id) }) ??
    refusedBy(plans.get(snapshot.inputs.id));
  return ids.map((experimentId) => {
    const snapshot = snapshots.get(experimentId);
    if (!snapshot)
      return { experimentId, cohortId: null, version: null, refused: snapshots.has(experimentId) ? changing : missing };
    const { cohort_id: cohortId, version } = snapshot.inputs;
    return { experimentId, cohortId, version, refused: refusedAs(snapshot) };
  });
}

const refusedBy = (plan: Plan | undefined): Refused | undefined =>
  plan !== undefined && plan !== 'wait' && 'refused' in plan ? plan.refused : undefined;

/** Refusals that do not depend on the kind of change. */
export function rejectedBefore(
  { inputs: { withdrawn } }: Snapshot,
  { kind, isPermitted }: { kind: DueOperation['kind']; isPermitted: boolean },
): Refused | undefined {
  if (!isPermitted) {
    const detail = `The author does not have the permission \`${bulkPermissions[kind]}\` in the cohort.`;
    return { code: 'not_allowed', detail };
  }
  return withdrawn ? { code: 'subject_withdrawn', detail: withdrawnDetail } : undefined;
}

export const missing: Refused = { code: 'not_found', detail: 'No experiment has this id.' };
const changing: Refused = { code: 'busy', detail: 'The workflow was being imported during the check. Check again.' };
