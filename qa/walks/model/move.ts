/** Moves of experiments: by people, by the engine, by corrections (rules 1, 4, 8 to 11 and 17). */
import { findState, getState, type Callback, type State, type Transition } from './workflow.ts';
import {
  isUnclaimed,
  latest,
  ok,
  openOf,
  refused,
  sightOf,
  type Action,
  type Execution,
  type Expected,
  type Experiment,
  type Said,
  type World,
} from './world.ts';

export const restingText = 'No callback for state';
export const placedText = 'Placed without callbacks';

export interface Entry {
  source: string;
  destination: string;
  callbacks: readonly Callback[];
  /** What an action says that ends at once. */
  restsWith?: string;
  retryOf?: number;
  carried?: Execution[];
}

/** A new action: what is open of the one before is left behind, and every incident but a new one closes. */
export function act(world: World, experiment: Experiment, entry: Entry): void {
  const { source, destination, callbacks, restsWith, retryOf = null, carried = [] } = entry;
  const sequence = experiment.actions.length + 1;
  if (sequence > 1) leaveBehind(world, experiment, sequence);
  const rests = callbacks.length === 0;
  const said: Said = rests ? (restsWith ?? restingText) : '';
  const ends = { ended: rests, success: rests, said };
  const action: Action = { sequence, source, destination, retryOf, ...ends, executions: [], carried };
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
    again: false,
    delayed,
    limited: false,
    neglected: false,
    values: {},
    resultLog: '',
    job: 'yes',
  };
}

/** Rule 11. */
function leaveBehind(world: World, experiment: Experiment, by: number): void {
  const open = openOf(experiment);
  if (open.length === 0) return;
  const left = latest(experiment);
  Object.assign(left, { ended: true, success: false, said: { superseded_by: by } });
  world.met('an action is superseded');
  for (const execution of open) leaveExecution(world, execution);
}

/** What has begun goes on. Between two attempts nothing does, and as there is no further one, the last has failed. */
function leaveExecution(world: World, execution: Execution): void {
  if (isUnclaimed(execution)) {
    Object.assign(execution, { status: 'skipped', job: 'may' });
  } else if (execution.again) {
    world.met('an execution between two attempts is superseded');
    Object.assign(execution, { status: 'finished', result: 'failed', again: false, limited: false, job: 'may' });
  } else world.met(`a ${execution.status} execution is superseded`);
}

export function enter(world: World, experiment: Experiment, source: string, destination: State): void {
  act(world, experiment, { source, destination: destination.label, callbacks: destination.callbacks });
}

export function create(world: World, name: string): Expected {
  const actions: Action[] = [];
  const incidents = new Set<string>();
  const unclaimed = undefined;
  const experiment: Experiment = { name, id: undefined, state: '', variables: {}, actions, incidents, unclaimed };
  world.experiments.push(experiment);
  const { workflow } = world;
  enter(world, experiment, workflow.initial, getState(workflow, workflow.initial));
  return { status: 201 };
}

export interface MoveRequest {
  state: string;
  expected: string | undefined;
}

/** PUT /experiments/{id}/state. */
export function move(world: World, experiment: Experiment, { state, expected }: MoveRequest): Expected {
  const { workflow } = world;
  const stays = { state: experiment.state };
  if (expected !== undefined && expected !== experiment.state) {
    return { ...refused(409, 'experiment_changed'), shows: stays };
  }
  if (!findState(workflow, state)) return { ...refused(404, 'state_not_found'), shows: stays };
  const ways = getState(workflow, experiment.state).transitions.filter(({ destination }) => destination === state);
  const open = ways.filter(({ by }) => by !== 'engine');
  if (open.length === 0) return { ...refused(409, 'no_transition'), shows: stays };
  if (!open.some((way) => holds(world, experiment, way))) {
    return { ...refused(409, 'condition_not_met'), shows: stays };
  }
  enter(world, experiment, experiment.state, getState(workflow, state));
  return ok({ state });
}

export function holds(world: World, experiment: Experiment, { condition }: Transition): boolean {
  const verdict = condition.judge(sightOf(experiment));
  if (verdict === 'unfit') world.met('the condition of a transition cannot be evaluated');
  return verdict === true;
}

/** POST /experiments/{id}/place. */
export function place(world: World, experiment: Experiment, label: string, runCallbacks: boolean): Expected {
  const destination = findState(world.workflow, label);
  if (!destination) return refused(404, 'not_found');
  const source = experiment.state;
  if (runCallbacks) enter(world, experiment, source, destination);
  else act(world, experiment, { source, destination: label, callbacks: [], restsWith: placedText });
  world.met(runCallbacks ? 'placed with callbacks' : 'placed without callbacks');
  return ok({ state: label });
}
