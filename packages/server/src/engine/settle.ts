/**
 * How everything that changes an experiment is done (rule 1): read, judge, and write by one statement that counts only if
 * nothing it was judged by has changed; else judge anew, against what is there now. Two who act at once thus never both
 * act on the same state.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/connection.ts';
import { problemFromDatabase } from '../database/problem-from-database.ts';
import { Problem } from '../errors.ts';
import { writeChange, type Change, type Written } from '../store/changes.ts';
import type { Author } from '../store/history.ts';
import { getInputsOfExecution, getMoveInputs, type ExecutionInputs, type MoveInputs } from '../store/move-inputs.ts';
import type { Scope } from '../store/scope.ts';
import { subjectWithdrawn } from '../store/withdrawals.ts';
import type { StateModel, WorkflowModel, WorkflowModels } from './workflow-model.ts';

export interface Moving {
  db: Db;
  scope: Scope;
  author: Author;
  models: WorkflowModels;
  /** Throws where whoever asks has seen another version of what is changed. */
  holdVersion?: (version: number) => void;
  /** Tells workers that there is something to do; without it they would find it a second later. */
  wake: (queues: readonly string[]) => void;
}

/** What was read of an experiment, and the definition it is judged by. */
export interface Seen {
  inputs: MoveInputs;
  model: WorkflowModel;
  state: StateModel;
}

/** Undefined: overtaken by somebody else's change. */
export type Attempt<S, T> = (seen: S) => Promise<T | undefined>;

const patienceMs = 2000;

export const settleExperiment = <T>(moving: Moving, experimentId: number, attempt: Attempt<Seen, T>): Promise<T> =>
  untilSettled(
    moving,
    async () => {
      const inputs = await getMoveInputs(moving.db, moving.scope, experimentId);
      moving.holdVersion?.(inputs.version);
      return { inputs };
    },
    attempt,
  );

export const settleExecution = <T>(
  moving: Moving,
  executionId: number,
  attempt: Attempt<Seen & { execution: ExecutionInputs }, T>,
): Promise<T> =>
  untilSettled(
    moving,
    async () => {
      const found = await getInputsOfExecution(moving.db, moving.scope, executionId);
      moving.holdVersion?.(found.execution.version);
      return found;
    },
    attempt,
  );

async function untilSettled<R extends { inputs: MoveInputs }, T>(
  { db, models }: Moving,
  read: () => Promise<R>,
  attempt: Attempt<R & Seen, T>,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let tries = 0; performance.now() < end; tries++) {
    const found = await read();
    const { workflow_id: workflowId, revision, state_id: stateId } = found.inputs;
    const model = await models.get(db, workflowId, revision);
    const state = model?.states.get(stateId) ?? leftBehind(found.inputs);
    const settled = model?.revision === revision && state ? await attempt({ ...found, model, state }) : undefined;
    if (settled !== undefined) return settled;
    // Those who were overtaken together do not all come back together.
    await sleep(Math.random() * Math.min(50, 2 ** tries));
  }
  throw new Problem('busy', 'Others keep changing this experiment or its workflow. Nothing was saved; try again.', {
    retryAfterSeconds: 1,
  });
}

/** Nobody moves the experiments of a subject who has withdrawn, also not out of a state that an import retires. */
const leftBehind = ({ withdrawn, state_id: id, state_label: label }: MoveInputs): StateModel | undefined =>
  withdrawn ? { id, label, transitions: [], callbacks: [] } : undefined;

type Judged = Omit<Change, 'experimentId' | 'version' | 'workflowId' | 'revision' | 'stateId'>;

/** Undefined where something changed since it was read. Refused where the subject has withdrawn, whatever it is. */
export async function write(moving: Moving, { inputs, model }: Seen, change: Judged): Promise<Written | undefined> {
  if (inputs.withdrawn) throw subjectWithdrawn();
  const written = await writeChange(moving.db, {
    ...change,
    experimentId: inputs.id,
    version: inputs.version,
    workflowId: model.id,
    revision: model.revision,
    stateId: inputs.state_id,
  });
  if (written && change.action) moving.wake(change.action.callbacks.map(({ queue }) => queue));
  return written;
}

/** For sweeps over many experiments: one that is held by an import must not hold up the others. */
export const unlessBusy = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    const { code } = error instanceof Problem ? error : (problemFromDatabase(error) ?? {});
    if (code === 'busy') return undefined;
    throw error;
  });
