/** The end of an action and its consequences (rules 4 to 6, 12 and 16). */
import { enter, holds } from './move.ts';
import { getState, type Json, type Transition, type Values } from './workflow.ts';
import {
  countedExecutions,
  isResolved,
  isSuccessful,
  latest,
  ok,
  openExecutions,
  rejected,
  type Execution,
  type Expected,
  type Experiment,
  type TransitionCheck,
  type World,
} from './world.ts';

/** Called after an execution was resolved. Executions of superseded actions have no effect (rule 11). */
export function endIfDone(world: World, { experiment, action }: Execution): void {
  if (latest(experiment) !== action) {
    world.count('an execution of a superseded action is resolved');
    return;
  }
  if (!countedExecutions(experiment).every(isResolved)) return;
  setVariables(world, experiment);
  endAction(world, experiment, false);
}

/** Rule 6: in definition order, from the action's own successful executions. */
function setVariables(world: World, experiment: Experiment): void {
  const own = latest(experiment).executions.filter(({ result }) => result === 'success');
  for (const { callback, values } of own.toSorted((a, b) => a.position - b.position)) {
    for (const [name, pointer] of Object.entries(callback.variableMap)) {
      experiment.variables[name] = valueAt(values, pointer);
      world.count('a variable is set');
    }
  }
}

const valueAt = (values: Values, pointer: string): Json =>
  pointer
    .replace(/^\//, '')
    .split('/')
    .reduce<Json>((at, name) => memberOf(at, name), values);

const memberOf = (at: Json, name: string): Json =>
  typeof at === 'object' && at !== null ? ((at as Values)[name] ?? null) : null;

/** Rule 4. Returns whether a transition was taken. What follows from a bulk move is part of it, unless a user asks for it. */
function endAction(world: World, experiment: Experiment, byUser: boolean): boolean {
  const action = latest(experiment);
  const { transitions } = getState(world.workflow, experiment.state);
  const { checks, chosen } = evaluateTransitions(world, experiment, transitions);
  const success = countedExecutions(experiment).every(isSuccessful);
  Object.assign(action, { ended: true, success, returnValue: checks });
  const bulk = action.bulk && !byUser;
  if (bulk && chosen) world.count('an automatic move follows a bulk move');
  if (chosen) enter(world, experiment, experiment.state, getState(world.workflow, chosen.destination), bulk);
  else openIncident(world, experiment, transitions);
  return chosen !== undefined;
}

function evaluateTransitions(world: World, experiment: Experiment, transitions: readonly Transition[]) {
  let chosen: Transition | undefined;
  const checks = transitions.map((transition): TransitionCheck => {
    const { destination, condition, by } = transition;
    const check = { destination, condition: condition.text };
    if (by === 'person' || chosen) return { ...check, test_result: null };
    const taken = holds(world, experiment, transition);
    if (taken) chosen = transition;
    return { ...check, test_result: taken };
  });
  return { checks, chosen };
}

/** Rule 16, for an experiment that stays. Without executions, this opens no incident. */
function openIncident(world: World, experiment: Experiment, transitions: readonly Transition[]): void {
  const kind = incidentKind(countedExecutions(experiment), transitions);
  experiment.incidents = new Set(kind === undefined ? [] : [kind]);
  if (kind !== undefined) world.count(`the incident ${kind}`);
}

function incidentKind(executions: readonly Execution[], transitions: readonly Transition[]): string | undefined {
  if (executions.length === 0) return undefined;
  if (executions.some(({ result }) => result === 'timeout')) return 'timed_out';
  if (!executions.every(isSuccessful)) return 'failed';
  return transitions.some(({ by }) => by !== 'person') ? 'no_way_on' : undefined;
}

/** POST /experiments/{id}/evaluate. */
export function evaluate(world: World, experiment: Experiment): Expected {
  if (openExecutions(experiment).length > 0) return rejected(409, 'action_open');
  const before = latest(experiment).returnValue;
  const moved = endAction(world, experiment, true);
  const wasResting = typeof before === 'string';
  if (moved) world.count(`re-evaluation moves an experiment${wasResting ? ' after an action without callbacks' : ''}`);
  return ok({ moved, state: experiment.state });
}
