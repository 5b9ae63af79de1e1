/**
 * The dry run of a bulk operation: chooses the next experiments, plans the change of each without writing it, and adds them as items with
 * their versions.
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
import type { Caller } from '../../store/people/caller.ts';
import { listFoundIds } from '../../store/queries/list-found-ids.ts';
import { resolveQuery } from '../../store/queries/resolve-query.ts';
import { includesCohort } from '../../store/scope.ts';
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

export async function checkSet(context: BulkContext, operation: DueOperation, scopes: AuthorScopes): Promise<void> {
  const { id, experiments, ready, refused, cohort_ids: cohorts } = operation;
  const { ids, next } = await chooseNext(context, operation, scopes);
  const items = await checkAll({ ...context, scope: scopes.read }, operation, ids, scopes);
  await insertItems(context.db, operation, items);
  const refusedNow = items.filter((item) => item.refused).length;
  await updateBulkOperation(context.db, id, {
    experiments: experiments + items.length,
    ready: ready + items.length - refusedNow,
    refused: refused + refusedNow,
    cohort_ids: [...new Set([...cohorts, ...items.flatMap(({ cohortId }) => cohortId ?? [])])],
    ...(next === undefined
      ? { status: operation.starts_itself ? 'running' : 'checked', experiment_ids: null, checked_to: 0 }
      : { checked_to: next }),
  });
}

const tooMany = `The query finds more than ${maxBulkExperiments.toLocaleString('en')} experiments. Narrow it.`;

async function chooseNext(
  { db }: BulkContext,
  { id, query, refused_of: refusedOf, checked_to: after, author_id: authorId }: DueOperation,
  { read: scope }: AuthorScopes,
): Promise<Chosen> {
  if (refusedOf !== null) {
    const items = await listRefusedIds(db, { operationId: refusedOf, after, limit: setSize });
    const next = items.length < setSize ? undefined : items.at(-1)?.number;
    return { ids: items.map((item) => item.experiment_id), next };
  }
  if (query !== null && after === 0) {
    await saveGivenIds(db, id, await findAll(db, query, { id: authorId, scope }));
  }
  const ids = await listGivenIds(db, { operationId: id, after, limit: setSize });
  return { ids, next: ids.length < setSize ? undefined : after + setSize };
}

/** The experiments of the query at this moment. Later ones are not part of the operation. */
async function findAll(db: BulkContext['db'], text: string, caller: Pick<Caller, 'id' | 'scope'>): Promise<number[]> {
  const query = await resolveQuery(db, caller, queries.readQuery(text).terms);
  if ('errors' in query) throw new Stopped(query.errors.map(({ message }) => message).join(' '));
  const ids = await listFoundIds(db, caller.scope, query, maxBulkExperiments + 1);
  if (ids.length > maxBulkExperiments) throw new Stopped(tooMany);
  return ids;
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
const changing: Refused = { code: 'busy', detail: 'The workflow was being imported during the check.' };
