/** Moves of experiments by users, by the engine, and by corrections (rules 1, 4, 8 to 11 and 17). */
import { findState, getState, type Callback, type State, type Transition } from './workflow.ts';
import {
  isUnclaimed,
  latest,
  ok,
  openExecutions,
  rejected,
  conditionInput,
  type Action,
  type Execution,
  type Expected,
  type Experiment,
  type ReturnValue,
  type World,
} from './world.ts';

export const noCallbackText = 'No callback for state';
export const placedText = 'Corrected without callbacks';

export interface Entry {
  source: string;
  destination: string;
  callbacks: readonly Callback[];
  /** The return value of an action that ends at once. */
  returnValue?: string;
  retryOf?: number;
  bulk?: boolean;
  carried?: Execution[];
}

/** Adds an action. It supersedes open executions of the previous one and closes all incidents. */
export function addAction(world: World, experiment: Experiment, entry: Entry): void {
  const { source, destination, callbacks, retryOf = null, bulk = false, carried = [] } = entry;
  const sequence = experiment.actions.length + 1;
  if (sequence > 1) supersede(world, experiment, sequence);
  const rests = callbacks.length === 0;
  const returnValue: ReturnValue = rests ? (entry.returnValue ?? noCallbackText) : '';
  const ends = { ended: rests, success: rests, returnValue };
  const action: Action = { sequence, source, destination, retryOf, bulk, ...ends, executions: [], carried };
  const order = getState(world.workflow, destination).callbacks.map(({ label }) => label);
  action.executions = callbacks.map((one) => newExecution(experiment, action, one, order.indexOf(one.label)));
  experiment.actions.push(action);
  experiment.state = destination;
  experiment.incidents.clear();
}

function newExecution(experiment: Experiment, action: Action, callback: Callback, position: number): Execution {
  const delayed = callback.initialDelay > 0;
  return {
    id: undefined,
    experiment,
    action,
    callback,
    position,
    status: delayed ? 'created' : 'queued',
    result: 'none',
    attempt: 0,
    failures: 0,
    held: false,
    retryDue: false,
    delayed,
    limited: false,
    values: {},
    resultLog: '',
    job: 'yes',
  };
}

/** Rule 11. */
function supersede(world: World, experiment: Experiment, by: number): void {
  const open = openExecutions(experiment);
  if (open.length === 0) return;
  Object.assign(latest(experiment), { ended: true, success: false, returnValue: { superseded_by: by } });
  world.count('an action is superseded');
  for (const execution of open) supersedeExecution(world, execution);
}

/** A started execution continues. One between two attempts fails, because there is no further attempt. */
function supersedeExecution(world: World, execution: Execution): void {
  if (isUnclaimed(execution)) {
    Object.assign(execution, { status: 'skipped', result: 'none', job: 'may' });
  } else if (execution.retryDue) {
    world.count('an execution between two attempts is superseded');
    Object.assign(execution, { status: 'finished', result: 'failed', retryDue: false, limited: false, job: 'may' });
  } else world.count(`a ${execution.status} execution is superseded`);
}

export function enter(world: World, experiment: Experiment, source: string, destination: State, bulk = false): void {
  addAction(world, experiment, { source, destination: destination.label, callbacks: destination.callbacks, bulk });
}

/** It has no state until it enters one. */
export function addExperiment({ experiments }: World, name: string): Experiment {
  const actions: Action[] = [];
  const incidents = new Set<string>();
  const experiment: Experiment = { name, id: undefined, state: '', variables: {}, actions, incidents };
  experiments.push(experiment);
  return experiment;
}

export function create(world: World, name: string): Expected {
  const { workflow } = world;
  enter(world, addExperiment(world, name), workflow.initial, getState(workflow, workflow.initial));
  return { status: 201 };
}

export interface MoveRequest {
  state: string;
  expected: string | undefined;
}

/** PUT /experiments/{id}/state. */
export function move(world: World, experiment: Experiment, { state, expected }: MoveRequest): Expected {
  const { workflow } = world;
  const shows = { state: experiment.state };
  if (expected !== undefined && expected !== experiment.state) {
    return { ...rejected(409, 'experiment_changed'), shows };
  }
  if (!findState(workflow, state)) return { ...rejected(404, 'state_not_found'), shows };
  const leading = getState(workflow, experiment.state).transitions.filter(({ destination }) => destination === state);
  const allowed = leading.filter(({ by }) => by !== 'engine');
  if (allowed.length === 0) return { ...rejected(409, 'no_transition'), shows };
  if (!allowed.some((transition) => holds(world, experiment, transition))) {
    return { ...rejected(409, 'condition_not_met'), shows };
  }
  enter(world, experiment, experiment.state, getState(workflow, state));
  return ok({ state });
}

export function holds(world: World, experiment: Experiment, { condition }: Transition): boolean {
  const verdict = condition.evaluate(conditionInput(experiment));
  if (verdict === 'invalid') world.count('the condition of a transition cannot be evaluated');
  return verdict === true;
}

/** POST /experiments/{id}/place. */
export function place(world: World, experiment: Experiment, label: string, runCallbacks: boolean): Expected {
  const destination = findState(world.workflow, label);
  if (!destination) return rejected(404, 'not_found');
  const source = experiment.state;
  if (runCallbacks) enter(world, experiment, source, destination);
  else addAction(world, experiment, { source, destination: label, callbacks: [], returnValue: placedText });
  world.count(runCallbacks ? 'a correction with callbacks' : 'a correction without callbacks');
  return ok({ state: label });
}
