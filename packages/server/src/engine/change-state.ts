/**
 * Moves an experiment to the state that somebody asks for (rules 1, 8, 10 and 11; specification, section 3). It is read,
 * judged here, and written by one statement that counts only if nothing it was judged by has changed; else it is judged
 * anew, against what is there now. Two who ask at once thus never both leave the same state.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/connection.ts';
import { Problem } from '../errors.ts';
import type { Author } from '../store/history.ts';
import { getMoveInputs, writeMove, type Move, type MoveInputs } from '../store/moves.ts';
import type { Scope } from '../store/scope.ts';
import { explainTransitions, type TransitionVerdict } from './explain-transitions.ts';
import type { StateModel, WorkflowModel, WorkflowModels } from './workflow-model.ts';

export interface StateRequest {
  experimentId: number;
  stateLabel: string;
  freetext: string;
  /** The change is refused unless the experiment is in this state. */
  expectedState: string | undefined;
}

export type RefusalCode = 'state_not_found' | 'no_transition' | 'condition_not_met' | 'experiment_changed';

export interface Refusal {
  code: RefusalCode;
  detail: string;
}

export interface StateChange {
  inputs: MoveInputs;
  /** The state the experiment is in now. */
  state: { id: number; label: string };
  refusal: Refusal | undefined;
  verdicts: TransitionVerdict[];
}

export interface Moving {
  db: Db;
  scope: Scope;
  author: Author;
  models: WorkflowModels;
}

const patienceMs = 2000;

export async function changeState(moving: Moving, request: StateRequest): Promise<StateChange> {
  return untilSettled(moving, request.experimentId, async (inputs, model, state) => {
    const verdicts = explainTransitions(state, inputs, { mover: 'person' });
    const chosen = choose(request, inputs, model, verdicts);
    if ('code' in chosen) return { inputs, state, refusal: chosen, verdicts };
    const action = await writeMove(moving.db, moving.author, moveAlong(inputs, model, chosen, request.freetext));
    return action === undefined
      ? undefined
      : { inputs, state: chosen.transition.destination, refusal: undefined, verdicts };
  });
}

type Attempt<T> = (inputs: MoveInputs, model: WorkflowModel, state: StateModel) => Promise<T | undefined>;

/** Reads and tries until the attempt is not overtaken by somebody else's change. */
export async function untilSettled<T>(
  { db, scope, models }: Moving,
  experimentId: number,
  attempt: Attempt<T>,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let tries = 0; performance.now() < end; tries++) {
    const inputs = await getMoveInputs(db, scope, experimentId);
    const model = await models.get(db, inputs.workflow_id, inputs.revision);
    const state = model?.states.get(inputs.state_id);
    const settled = model?.revision === inputs.revision && state ? await attempt(inputs, model, state) : undefined;
    if (settled !== undefined) return settled;
    // Those who were overtaken together do not all come back together.
    await sleep(Math.random() * Math.min(50, 2 ** tries));
  }
  throw new Problem('busy', 'Others keep changing this experiment or its workflow. Nothing was saved; try again.', {
    retryAfterSeconds: 1,
  });
}

function choose(
  { stateLabel, expectedState }: StateRequest,
  { state_label: current }: MoveInputs,
  model: WorkflowModel,
  verdicts: readonly TransitionVerdict[],
): TransitionVerdict | Refusal {
  if (expectedState !== undefined && expectedState !== current) {
    return {
      code: 'experiment_changed',
      detail: `The experiment is in ${current}, not in ${expectedState} as expected.`,
    };
  }
  if (!model.statesByLabel.has(stateLabel)) {
    return { code: 'state_not_found', detail: `The workflow ${model.label} has no state ${stateLabel}.` };
  }
  const there = verdicts.filter(({ transition }) => transition.destination.label === stateLabel);
  return there.find(({ allowed }) => allowed) ?? refusalOf(there, current, stateLabel);
}

function refusalOf(there: readonly TransitionVerdict[], current: string, wanted: string): Refusal {
  const open = there.filter(({ transition }) => transition.by !== 'engine');
  if (there.length === 0) return { code: 'no_transition', detail: `No transition leads from ${current} to ${wanted}.` };
  if (open.length === 0) {
    return { code: 'no_transition', detail: `Only the engine moves experiments from ${current} to ${wanted}.` };
  }
  const reasons = open.map(({ reason }) => reason).join(' ');
  return { code: 'condition_not_met', detail: `The way from ${current} to ${wanted} is not open now. ${reasons}` };
}

const isOpen = ({ status }: { status: string }) => status !== 'finished' && status !== 'skipped';

export const openExecutions = ({ executions }: MoveInputs) => executions.filter(isOpen);

function moveAlong(
  inputs: MoveInputs,
  model: WorkflowModel,
  { transition }: TransitionVerdict,
  freetext: string,
): Move {
  const { destination } = transition;
  return {
    experimentId: inputs.id,
    version: inputs.version,
    workflowId: model.id,
    revision: model.revision,
    transitionId: transition.id,
    destination,
    from: inputs.state_label,
    callbacks: destination.callbacks,
    end: destination.callbacks.length === 0 ? restingEnd : undefined,
    leftActionId: openExecutions(inputs).length > 0 ? (inputs.action_id ?? undefined) : undefined,
    freetext,
  };
}

/** A state without callbacks is a resting state: the action ends at once, and nothing moves by itself (rule 4). */
export const restingEnd = { success: true, returnValue: 'No callback for state' };
