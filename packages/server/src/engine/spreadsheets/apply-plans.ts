/** Writes the plans of some lines of a spreadsheet. Each change leaves the history entry and the event of the same single change. */
import type { OperationName } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { getCorrection } from '../../store/experiments/corrections.ts';
import { writeCreations } from '../../store/experiments/change/write-creation.ts';
import { recordChanges, type Change } from '../../store/record/record-change.ts';
import type { StoredValues } from '../../store/spreadsheets/stored-values.ts';
import * as write from '../../store/spreadsheets/write-values.ts';
import { creationOf } from '../experiments/create-experiment.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import type { StateModel, WorkflowModel } from '../experiments/workflow-model.ts';
import { Postponed, workflowImported } from '../due-sets.ts';
import { createsExperiment, createsSubject, type LinePlan } from './plan-line.ts';

export interface Applying {
  context: EngineContext & { db: Tx };
  importId: number;
  cohortId: number;
  model: WorkflowModel | undefined;
  stored: StoredValues;
}

/** PostgreSQL expects so many rows. */
const creationsAtOnce = 100;

export async function applyPlans(applying: Applying, plans: readonly LinePlan[]): Promise<void> {
  const newSubjects = await createSubjects(applying, plans);
  const subjectOf = (plan: LinePlan) => required(plan.subject?.id ?? newSubjects.get(plan.wanted.subject));
  const created = await createExperiments(applying, plans, subjectOf);
  const experimentOf = (plan: LinePlan) => plan.experiment?.id ?? created.get(plan);
  await addToSubjects(applying, plans, subjectOf);
  await addToExperiments(applying, plans, experimentOf);
}

function required(id: number | undefined): number {
  if (id === undefined) throw new Error('The row was created or removed by another transaction.');
  return id;
}

const record = ({ context, importId, cohortId }: Applying, operation: OperationName, changes: readonly Change[]) =>
  recordChanges(
    context.db,
    { ...context.author, operation },
    changes.map((change) => ({
      ...change,
      cohortId,
      after: { ...change.after, import_id: importId },
      data: { ...change.data, import_id: importId },
    })),
  );

async function createSubjects(applying: Applying, plans: readonly LinePlan[]): Promise<Map<string, number>> {
  const { context, cohortId } = applying;
  const groups = Map.groupBy(plans.filter(createsSubject), ({ wanted }) => wanted.subject);
  const rows = [...groups].map(([label, lines]) => ({
    label,
    cohort_id: cohortId,
    date_of_birth: lines.find(({ dateOfBirth }) => dateOfBirth !== null)?.dateOfBirth ?? null,
  }));
  const ids = await write.insertSubjects(context.db, rows);
  const changes = rows.map((after) => {
    const objectId = required(ids.get(after.label));
    return { objectKind: 'subject', objectId, before: null, after };
  });
  await record(applying, 'createSubject', changes);
  return ids;
}

type IdOf<T> = (plan: LinePlan) => T;

async function createExperiments(
  applying: Applying,
  plans: readonly LinePlan[],
  subjectOf: IdOf<number>,
): Promise<Map<LinePlan, number>> {
  const { context, importId, model } = applying;
  const creating = plans.filter(createsExperiment);
  const created = new Map<LinePlan, number>();
  if (!model || creating.length === 0) return created;
  const author = { ...context.author, operation: 'createExperiment' as const };
  const corrections = await correctionsOf(context.db, model, creating);
  for (let start = 0; start < creating.length; start += creationsAtOnce) {
    const some = creating.slice(start, start + creationsAtOnce);
    const creations = some.map((plan) =>
      creationOf({ ...context, author }, model, {
        subjectId: subjectOf(plan),
        label: plan.wanted.experiment ?? '',
        scandate: plan.scanDate,
        placed: plan.state && { state: plan.state, transitionId: required(corrections.get(plan.state)) },
        importId,
      }),
    );
    const ids = await writeCreations(context.db, creations);
    // An import of the workflow has the lock, or was committed after the model was read.
    if (ids === 'locked' || ids.size < creations.length) throw new Postponed(workflowImported);
    some.forEach((plan, index) => created.set(plan, required(ids.get(index + 1))));
    context.wake(creations.flatMap(({ callbacks }) => callbacks.map(({ queue }) => queue)));
  }
  return created;
}

/** The transitions along which experiments are created in other states. */
async function correctionsOf(tx: Tx, model: WorkflowModel, plans: readonly LinePlan[]) {
  const found = new Map<StateModel, number>();
  for (const state of new Set(plans.flatMap((plan) => plan.state ?? []))) {
    const id = await getCorrection(tx, model.id, model.initial.id, state.id);
    if (id === 'locked') throw new Postponed(workflowImported);
    found.set(state, required(id));
  }
  return found;
}

async function addToSubjects(applying: Applying, plans: readonly LinePlan[], subjectOf: IdOf<number>): Promise<void> {
  const groups = [...Map.groupBy(plans, subjectOf)].map(([id, lines]) => ({
    id,
    stored: lines[0]?.subject,
    ids: Object.fromEntries(lines.flatMap((line) => line.subjectIds.map(({ name, value }) => [name, value]))),
    dateOfBirth: lines.find((line) => line.subject && line.dateOfBirth !== null)?.dateOfBirth ?? null,
  }));
  const changed = groups.filter(({ ids, dateOfBirth }) => dateOfBirth !== null || Object.keys(ids).length > 0);
  await write.updateSubjects(applying.context.db, changed);
  await addIds(applying, 'subject', changed);
  const dated = changed.filter(({ dateOfBirth }) => dateOfBirth !== null);
  const changes = dated.map(({ id, dateOfBirth }) => ({
    objectKind: 'subject',
    objectId: id,
    before: { date_of_birth: null },
    after: { date_of_birth: dateOfBirth },
  }));
  await record(applying, 'updateSubject', changes);
}

interface Owner {
  id: number;
  stored: { external_ids: Record<string, string> } | undefined;
  ids: Record<string, string>;
}

const idOperations = { subject: 'addSubjectExternalIds', experiment: 'addExperimentExternalIds' } as const;

async function addIds(applying: Applying, kind: 'subject' | 'experiment', owners: readonly Owner[]): Promise<void> {
  const { context, cohortId, stored } = applying;
  const links = owners.flatMap(({ id: ownerId, ids }) =>
    Object.entries(ids).map(([name, externalId]) => ({
      ownerId,
      systemId: required(stored.systems.get(name)),
      externalId,
    })),
  );
  await write.insertLinks(context.db, kind, cohortId, links);
  const changes = owners
    .filter(({ ids }) => Object.keys(ids).length > 0)
    .map(({ id, stored: owner, ids }) => {
      const before = owner?.external_ids ?? {};
      return {
        objectKind: kind,
        objectId: id,
        before: { external_ids: before },
        after: { external_ids: { ...before, ...ids } },
      };
    });
  await record(applying, idOperations[kind], changes);
}

async function addToExperiments(
  applying: Applying,
  plans: readonly LinePlan[],
  experimentOf: IdOf<number | undefined>,
): Promise<void> {
  const tx = applying.context.db;
  const targets = plans.flatMap((plan) => {
    const id = experimentOf(plan);
    if (id === undefined) return [];
    const ids = Object.fromEntries(plan.experimentIds.map(({ name, value }) => [name, value]));
    // A new experiment has its scan date.
    return [{ id, plan, stored: plan.experiment, ids, scanDate: plan.experiment ? plan.scanDate : null }];
  });
  const changed = targets.filter(
    ({ plan, scanDate }) => scanDate !== null || plan.experimentIds.length + plan.variables.length > 0,
  );
  await write.updateExperiments(tx, changed);
  await addIds(applying, 'experiment', changed);
  await recordDates(applying, changed);
  await addVariables(applying, changed);
  await addScans(applying, targets);
}

interface Target extends Owner {
  plan: LinePlan;
  scanDate: string | null;
}

const recordDates = (applying: Applying, targets: readonly Target[]) =>
  record(
    applying,
    'updateExperiment',
    targets
      .filter(({ scanDate }) => scanDate !== null)
      .map(({ id, scanDate }) => ({
        objectKind: 'experiment',
        objectId: id,
        before: { scandate: null },
        after: { scandate: scanDate },
      })),
  );

async function addVariables(applying: Applying, targets: readonly Target[]): Promise<void> {
  const variables = targets.flatMap(({ id, plan }) =>
    plan.variables.map(({ name, value }) => ({ experiment_id: id, name, value })),
  );
  await write.insertVariables(applying.context.db, variables);
  const changes = targets
    .filter(({ plan }) => plan.variables.length > 0)
    .map(({ id, plan }) => ({
      objectKind: 'experiment',
      objectId: id,
      before: { variables: {} },
      after: { variables: Object.fromEntries(plan.variables.map(({ name, value }) => [name, value])) },
    }));
  await record(applying, 'setExperimentVariable', changes);
}

async function addScans(applying: Applying, targets: readonly Target[]): Promise<void> {
  const { context, cohortId } = applying;
  const scans = targets.flatMap(({ id, plan }) =>
    plan.scans.map((scantype_id) => ({ experiment_id: id, cohort_id: cohortId, scantype_id })),
  );
  const ids = await write.insertScans(context.db, scans);
  const changes = scans.map(({ experiment_id, scantype_id }, index) => ({
    objectKind: 'scan',
    objectId: required(ids[index]),
    before: null,
    after: { experiment_id, scantype_id },
  }));
  await record(applying, 'createScan', changes);
}
