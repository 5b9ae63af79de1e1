/**
 * Optimistic locking for changes to an experiment. A change reads a snapshot, evaluates its rule, and commits with one statement
 * that takes effect only if the experiment and its workflow are unchanged. On a conflict it starts over with a new snapshot, so
 * two concurrent changes never both act on the same state.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../database/connection.ts';
import { problemFromDatabase } from '../../database/problem-from-database.ts';
import { Problem } from '../../errors.ts';
import { writeChange, type Change, type Written } from '../../store/experiments/change/write-change.ts';
import type { Author } from '../../store/record/history.ts';
import {
  getInputsOfExecution,
  getMoveInputs,
  type ExecutionInputs,
  type MoveInputs,
} from '../../store/experiments/move-inputs.ts';
import type { Scope } from '../../store/scope.ts';
import { subjectWithdrawn } from '../../store/study/withdrawals.ts';
import type { StateModel, WorkflowModel, WorkflowModels } from './workflow-model.ts';

export interface EngineContext {
  db: Db;
  scope: Scope;
  author: Author;
  models: WorkflowModels;
  /** The largest result values of a run, as JSON. */
  maxValuesBytes: number;
  /** Throws if the caller expects a different version of the changed object. */
  requireVersion?: (version: number) => void;
  /** Notifies workers of new jobs. Without it, they find the jobs within a second by polling. */
  wake: (queues: readonly string[]) => void;
}

/** An experiment as it was read, with the workflow definition that applies to it. */
export interface Snapshot {
  inputs: MoveInputs;
  model: WorkflowModel;
  state: StateModel;
}

export type ExecutionSnapshot = Snapshot & { execution: ExecutionInputs };

/** Returns undefined on a conflict with another change. */
export type Rule<S, T> = (snapshot: S) => Promise<T | undefined>;

const retryForMs = 2000;

export const withExperiment = <T>(context: EngineContext, experimentId: number, rule: Rule<Snapshot, T>): Promise<T> =>
  retryOnConflict(
    context,
    async () => {
      const inputs = await getMoveInputs(context.db, context.scope, experimentId);
      context.requireVersion?.(inputs.version);
      return { inputs };
    },
    rule,
  );

export const withExecution = <T>(
  context: EngineContext,
  executionId: number,
  rule: Rule<ExecutionSnapshot, T>,
): Promise<T> =>
  retryOnConflict(
    context,
    async () => {
      const found = await getInputsOfExecution(context.db, context.scope, executionId);
      context.requireVersion?.(found.execution.version);
      return found;
    },
    rule,
  );

async function retryOnConflict<R extends { inputs: MoveInputs }, T>(
  context: EngineContext,
  readInputs: () => Promise<R>,
  rule: Rule<R & Snapshot, T>,
): Promise<T> {
  const deadline = performance.now() + retryForMs;
  for (let tries = 0; performance.now() < deadline; tries++) {
    const snapshot = await readSnapshot(context, readInputs);
    const result = snapshot && (await rule(snapshot));
    if (result !== undefined) return result;
    // A random pause keeps changes that conflicted once from conflicting again.
    await sleep(Math.random() * Math.min(50, 2 ** tries));
  }
  const detail =
    'Other requests keep changing this experiment or its workflow. Nothing was saved. Try again in 1 second.';
  throw new Problem('busy', detail, { retryAfterSeconds: 1 });
}

/** Undefined if the workflow changed between reading the experiment and reading its definition. */
async function readSnapshot<R extends { inputs: MoveInputs }>(
  { db, models }: EngineContext,
  readInputs: () => Promise<R>,
): Promise<(R & Snapshot) | undefined> {
  const found = await readInputs();
  const { workflow_id: workflowId, revision, state_id: stateId } = found.inputs;
  const model = await models.get(db, workflowId, revision);
  const state = model?.states.get(stateId) ?? withdrawnState(found.inputs);
  return model?.revision === revision && state ? { ...found, model, state } : undefined;
}

/** Experiments of a withdrawn subject never move, so they can be in a state that an import has retired. */
const withdrawnState = ({ withdrawn, state_id: id, state_label: label }: MoveInputs): StateModel | undefined =>
  withdrawn ? { id, label, transitions: [], callbacks: [] } : undefined;

type SnapshotChange = Omit<Change, 'experimentId' | 'version' | 'workflowId' | 'revision' | 'stateId'>;

/** Returns undefined on a conflict. Throws if the subject has withdrawn, whatever the change is. */
export async function commitChange(
  context: EngineContext,
  { inputs, model }: Snapshot,
  change: SnapshotChange,
): Promise<Written | undefined> {
  if (inputs.withdrawn) throw subjectWithdrawn();
  const written = await writeChange(context.db, {
    ...change,
    experimentId: inputs.id,
    version: inputs.version,
    workflowId: model.id,
    revision: model.revision,
    stateId: inputs.state_id,
  });
  if (written && change.action) context.wake(change.action.callbacks.map(({ queue }) => queue));
  return written;
}

/** Returns undefined instead of throwing `busy`, so that a sweep continues with the experiments that no import locks. */
export const unlessBusy = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    const { code } = error instanceof Problem ? error : (problemFromDatabase(error) ?? {});
    if (code === 'busy') return undefined;
    throw error;
  });
