/** Writes the parts of a plan, states first, because the others refer to them. Returns the ids of all states by label. */
import type { Tx } from '../../database/connection.ts';
import {
  insertCallbacks,
  insertCallbackVersions,
  updateCallbacks,
  type NewVersion,
} from '../../store/workflows/callback-versions.ts';
import * as definitions from '../../store/workflows/import-definition.ts';
import { type CurrentCallback, type ImportPlan, type PlannedCallback, sameCallback } from '@milepost/definitions';

type Ids = ReadonlyMap<string, number>;

export async function applyParts(tx: Tx, workflowId: number, revision: number, plan: ImportPlan): Promise<Ids> {
  const stateIds = await applyStates(tx, workflowId, plan.states);
  await applyCallbacks(tx, revision, plan.callbacks, stateIds);
  await applyTransitions(tx, workflowId, plan.transitions, stateIds);
  return stateIds;
}

const isMoved = ([wanted, before]: [{ position: number }, { position: number }]) => wanted.position !== before.position;

async function applyStates(tx: Tx, workflowId: number, plan: ImportPlan['states']): Promise<Ids> {
  const written = [...plan.changed, ...plan.revived, ...plan.same.filter(isMoved)];
  const added = await definitions.insertStates(tx, workflowId, plan.added);
  await definitions.updateStates(
    tx,
    written.map(([wanted, { id }]) => ({ ...wanted, id })),
  );
  await definitions.retire(
    tx,
    'states',
    plan.retired.map(({ id }) => id),
  );
  const known = [...plan.changed, ...plan.revived, ...plan.same].map(([, before]) => before);
  return new Map([...added, ...[...known, ...plan.retired].map(({ id, label }): [string, number] => [label, id])]);
}

/** A revived callback with the same settings and position needs no new version. */
const needsVersion = ([wanted, before]: [PlannedCallback, CurrentCallback]) =>
  isMoved([wanted, before]) || !sameCallback(wanted, before);

async function applyCallbacks(tx: Tx, revision: number, plan: ImportPlan['callbacks'], stateIds: Ids): Promise<void> {
  const written = [...plan.changed, ...plan.revived];
  const versions = written.filter(needsVersion).map(([wanted, { id, version }]) => versionOf(wanted, id, version + 1));
  const first = await insertFirstVersions(tx, plan.added, stateIds);
  await insertCallbackVersions(tx, revision, [...first, ...versions]);
  const newVersions = new Map(versions.map(({ callback_id, version }) => [callback_id, version]));
  await updateCallbacks(
    tx,
    written.map(([, { id, version }]) => ({ id, version: newVersions.get(id) ?? version })),
  );
  await definitions.retire(
    tx,
    'callbacks',
    plan.retired.map(({ id }) => id),
  );
}

const versionOf = ({ state: _state, ...values }: PlannedCallback, id: number, version: number): NewVersion => ({
  ...values,
  callback_id: id,
  version,
});

const key = (stateId: number, label: string) => `${stateId} ${label}`;

async function insertFirstVersions(tx: Tx, added: readonly PlannedCallback[], stateIds: Ids): Promise<NewVersion[]> {
  const stateOf = ({ state }: PlannedCallback) => stateIds.get(state) ?? 0;
  const rows = await insertCallbacks(
    tx,
    added.map((callback) => ({ state_id: stateOf(callback), label: callback.label })),
  );
  const ids = new Map(rows.map(({ id, state_id, label }) => [key(state_id, label), id]));
  return added.map((callback) => versionOf(callback, ids.get(key(stateOf(callback), callback.label)) ?? 0, 1));
}

async function applyTransitions(tx: Tx, workflowId: number, plan: ImportPlan['transitions'], stateIds: Ids) {
  const written = [...plan.changed, ...plan.revived, ...plan.same.filter(isMoved)];
  await definitions.insertTransitions(
    tx,
    workflowId,
    plan.added.map(({ source, destination, ...values }) => ({
      ...values,
      source_state_id: stateIds.get(source) ?? 0,
      destination_state_id: stateIds.get(destination) ?? 0,
    })),
  );
  await definitions.updateTransitions(
    tx,
    written.map(([{ position, condition, by, title }, { id }]) => ({
      id,
      position,
      condition,
      by,
      ...(title && { title }),
    })),
  );
  await definitions.retire(
    tx,
    'transitions',
    plan.retired.map(({ id }) => id),
  );
}
