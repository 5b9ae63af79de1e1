/** Derives a changed definition from the current one. */
import type { Change } from '../generate/steps.ts';
import {
  callbackLabels,
  callbackOf,
  stateLabel,
  stateOf,
  transitionOf,
  type CallbackSeed,
} from '../generate/workflows.ts';
import { always } from '../generate/conditions.ts';
import type { Upgrade } from '../model/upgrade.ts';
import type { Callback, State, Workflow } from '../model/workflow.ts';
import { chosen } from './choose.ts';

const labelsOf = ({ states }: Workflow) => states.map(({ label }) => label);
const namesIn = (workflow: Workflow, { callbacks }: State) => ({
  states: labelsOf(workflow),
  callbacks: callbacks.map(({ label }) => label),
});

const without = <T>(list: readonly T[], one: T | undefined): T[] => list.filter((other) => other !== one);

const withState = (workflow: Workflow, before: State, after: State): Workflow => ({
  ...workflow,
  states: workflow.states.map((state) => (state === before ? after : state)),
});

/** Undefined if there is nothing to change. `occupied` are the current states of the experiments. */
export function upgradeBy(workflow: Workflow, change: Change, occupied: readonly string[]): Upgrade | undefined {
  if (change.is === 'nothing') return { workflow, stateMap: {}, identical: true };
  if (change.is === 'state added') return added(addState(workflow, change));
  if (change.is === 'state retired') return retire(workflow, chosen(labelsOf(workflow), change.state), change);
  if (change.is === 'state of an experiment retired') return retire(workflow, chosen(occupied, change.state), change);
  const state = chooseState(workflow, change.state, occupied);
  const after = state && changeState(workflow, state, change);
  return state && after && added(withState(workflow, state, after));
}

/** Two of three picks choose an occupied state. */
function chooseState({ states }: Workflow, pick: number, occupied: readonly string[]): State | undefined {
  const withExperiments = states.filter(({ label }) => occupied.includes(label));
  return chosen(pick % 3 > 0 ? withExperiments : states, pick);
}

export interface CallbackChange {
  state: string;
  callback: Callback;
  workflow: Workflow;
}

/** Like an import that changes one callback, but without its variable map, which cannot be changed this way. */
export function changeOfCallback(
  workflow: Workflow,
  { state: pick, index, callback: seed }: { state: number; index: number; callback: CallbackSeed },
  occupied: readonly string[],
): CallbackChange | undefined {
  const state = chooseState(workflow, pick, occupied);
  const before = state && chosen(state.callbacks, index);
  if (!before) return undefined;
  const { label, variableMap } = before;
  const callback = { ...callbackOf(seed, label, labelsOf(workflow)), variableMap };
  const callbacks = state.callbacks.map((one) => (one === before ? callback : one));
  return { state: state.label, callback, workflow: withState(workflow, state, { ...state, callbacks }) };
}

const added = (workflow: Workflow): Upgrade => ({ workflow, stateMap: {}, identical: false });

/** Uses the first free label. If its state was retired before, it is restored. */
function addState(workflow: Workflow, { from, state: seed }: Extract<Change, { is: 'state added' }>): Workflow {
  const labels = labelsOf(workflow);
  const label = labels.map((_label, index) => stateLabel(index)).find((one) => !labels.includes(one));
  const made = stateOf(seed, label ?? stateLabel(labels.length), [...labels, label ?? stateLabel(labels.length)]);
  const source = chosen(workflow.states, from);
  const transition = { destination: made.label, by: 'both', condition: always } as const;
  const states = workflow.states.map((state) =>
    state === source ? { ...state, transitions: [transition, ...state.transitions] } : state,
  );
  return { ...workflow, states: [...states, made] };
}

function retire(
  workflow: Workflow,
  label: string | undefined,
  { to, mapped }: { to: number; mapped: boolean },
): Upgrade | undefined {
  const left = workflow.states.filter((state) => state.label !== label);
  const target = chosen(left, to);
  if (label === undefined || !target) return undefined;
  const states = left.map((state) => ({
    ...state,
    transitions: state.transitions.filter(({ destination }) => destination !== label),
  }));
  const initial = workflow.initial === label ? target.label : workflow.initial;
  const stateMap = mapped ? { [label]: target.label } : {};
  return { workflow: { initial, states }, stateMap, identical: false };
}

function changeState(
  workflow: Workflow,
  state: State,
  change: Exclude<Change, { is: 'nothing' | 'state added' | 'state retired' | 'state of an experiment retired' }>,
): State | undefined {
  const { callbacks, transitions } = state;
  const states = labelsOf(workflow);
  if (change.is === 'callback added') {
    const label = callbackLabels.find((free) => !callbacks.some((callback) => callback.label === free));
    if (label === undefined) return undefined;
    return { ...state, callbacks: [callbackOf(change.callback, label, states), ...callbacks] };
  }
  if (change.is === 'transition added') {
    return { ...state, transitions: [transitionOf(change.transition, namesIn(workflow, state)), ...transitions] };
  }
  if (change.is === 'callback changed' || change.is === 'callback retired') {
    const callback = chosen(callbacks, change.index);
    if (!callback) return undefined;
    if (change.is === 'callback retired') return withoutCallback(state, callback.label);
    const after = callbackOf(change.callback, callback.label, states);
    return { ...state, callbacks: callbacks.map((one) => (one === callback ? after : one)) };
  }
  const transition = chosen(transitions, change.index);
  if (!transition) return undefined;
  if (change.is === 'transition retired') return { ...state, transitions: without(transitions, transition) };
  const after = { ...transition, condition: change.condition(namesIn(workflow, state)) };
  return { ...state, transitions: transitions.map((one) => (one === transition ? after : one)) };
}

/** Also removes the conditions that refer to the callback. */
const withoutCallback = (state: State, label: string): State => ({
  ...state,
  callbacks: state.callbacks.filter((callback) => callback.label !== label),
  transitions: state.transitions.map((transition) =>
    transition.condition.reads.includes(label) ? { ...transition, condition: always } : transition,
  ),
});
