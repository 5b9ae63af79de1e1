/** The end of an action and what follows from it (rules 4 to 6, 12 and 16). */
import { enter, holds } from './move.ts';
import { getState, type Json, type Transition, type Values } from './workflow.ts';
import {
  counting,
  isResolved,
  isWell,
  latest,
  ok,
  openOf,
  refused,
  type Execution,
  type Expected,
  type Experiment,
  type Trial,
  type World,
} from './world.ts';

/** After an execution was resolved. Those of an action that was left behind decide nothing (rule 11). */
export function endIfDone(world: World, { experiment, action }: Execution): void {
  if (latest(experiment) !== action) {
    world.met('an execution of a superseded action is resolved');
    return;
  }
  if (!counting(experiment).every(isResolved)) return;
  setVariables(world, experiment);
  goOn(world, experiment);
}

/** Rule 6: in definition order, from the action's own successful executions. */
function setVariables(world: World, experiment: Experiment): void {
  const own = latest(experiment).executions.filter(({ result }) => result === 'success');
  for (const { callback, values } of own.toSorted((a, b) => a.position - b.position)) {
    for (const [name, pointer] of Object.entries(callback.variableMap)) {
      experiment.variables[name] = valueAt(values, pointer);
      world.met('a variable is set');
    }
  }
}

const valueAt = (values: Values, pointer: string): Json =>
  pointer
    .replace(/^\//, '')
    .split('/')
    .reduce<Json>((at, name) => ofName(at, name), values);

const ofName = (at: Json, name: string): Json =>
  typeof at === 'object' && at !== null ? ((at as Values)[name] ?? null) : null;

/** Rule 4: answers whether a transition was taken. */
function goOn(world: World, experiment: Experiment): boolean {
  const action = latest(experiment);
  const { transitions } = getState(world.workflow, experiment.state);
  const { trials, chosen } = tryAll(world, experiment, transitions);
  const success = counting(experiment).every(isWell);
  Object.assign(action, { ended: true, success, said: trials });
  if (chosen) enter(world, experiment, experiment.state, getState(world.workflow, chosen.destination));
  else attend(world, experiment, transitions);
  return chosen !== undefined;
}

function tryAll(world: World, experiment: Experiment, transitions: readonly Transition[]) {
  let chosen: Transition | undefined;
  const trials = transitions.map((transition): Trial => {
    const { destination, condition, by } = transition;
    const trial = { destination, condition: condition.text };
    if (by === 'person' || chosen) return { ...trial, test_result: null };
    const taken = holds(world, experiment, transition);
    if (taken) chosen = transition;
    return { ...trial, test_result: taken };
  });
  return { trials, chosen };
}

/** Rule 16. It stayed: in a resting state that is as it should be. */
function attend(world: World, experiment: Experiment, transitions: readonly Transition[]): void {
  const kind = kindOf(counting(experiment), transitions);
  experiment.incidents = new Set(kind === undefined ? [] : [kind]);
  if (kind !== undefined) world.met(`the incident ${kind}`);
}

function kindOf(executions: readonly Execution[], transitions: readonly Transition[]): string | undefined {
  if (executions.length === 0) return undefined;
  if (executions.some(({ result }) => result === 'timeout')) return 'timed_out';
  if (!executions.every(isWell)) return 'failed';
  return transitions.some(({ by }) => by !== 'person') ? 'no_way_on' : undefined;
}

/** POST /experiments/{id}/evaluate. */
export function evaluate(world: World, experiment: Experiment): Expected {
  if (openOf(experiment).length > 0) return refused(409, 'action_open');
  const before = latest(experiment).said;
  const moved = goOn(world, experiment);
  if (moved) world.met(typeof before === 'string' ? 'evaluate moves from a resting state' : 'evaluate moves');
  return ok({ moved, state: experiment.state });
}
