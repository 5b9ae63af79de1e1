/** Random workflows of 3 to 30 states with cycles, and their parts, which upgrades also use. */
import fc, { type Arbitrary } from 'fast-check';
import type { Callback, State, Transition, Workflow } from '../model/workflow.ts';
import {
  always,
  callbackCondition,
  transitionCondition,
  variableNames,
  type ConditionSeed,
  type Names,
} from './conditions.ts';

export interface CallbackSeed extends Omit<Callback, 'label' | 'condition'> {
  condition: ConditionSeed;
}

export interface TransitionSeed extends Omit<Transition, 'destination' | 'condition'> {
  destination: number;
  condition: ConditionSeed;
}

export interface StateSeed {
  callbacks: CallbackSeed[];
  transitions: TransitionSeed[];
}

const rarely = <T>(usual: T, other: Arbitrary<T>, weight = 1): Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 6 }, { arbitrary: other, weight });

/** A name, a pointer, and the name of a missing value. */
const pointer = fc.constantFrom('x', '/y/0', 'missing');

export const someCallback: Arbitrary<CallbackSeed> = fc.record({
  condition: rarely<ConditionSeed>(() => always, callbackCondition, 2),
  initialDelay: rarely(0, fc.constant(3600)),
  runTimeout: rarely(60, fc.constant(0)),
  waitTimeout: rarely(0, fc.constantFrom(5, 60), 4),
  variableMap: fc.dictionary(fc.constantFrom(...variableNames), pointer, { maxKeys: 2, noNullPrototype: true }),
});

export const someTransition: Arbitrary<TransitionSeed> = fc.record({
  destination: fc.nat(999),
  by: fc.constantFrom('both', 'both', 'engine', 'person'),
  condition: transitionCondition,
});

export const someState: Arbitrary<StateSeed> = fc.record({
  callbacks: fc.oneof(
    { arbitrary: fc.constant<CallbackSeed[]>([]), weight: 1 },
    { arbitrary: fc.array(someCallback, { minLength: 1, maxLength: 3, size: 'max' }), weight: 5 },
  ),
  transitions: fc.oneof(
    { arbitrary: fc.array(someTransition, { maxLength: 2, size: 'max' }), weight: 2 },
    { arbitrary: fc.array(someTransition, { maxLength: 5, size: 'max' }), weight: 1 },
  ),
});

const smallest = 3;

/** Mostly small, so that experiments return to states. Some are large. */
export const someWorkflow: Arbitrary<Workflow> = fc
  .oneof(
    { arbitrary: fc.array(someState, { minLength: smallest, maxLength: 8, size: 'max' }), weight: 12 },
    { arbitrary: fc.array(someState, { minLength: smallest, maxLength: 30, size: 'max' }), weight: 1 },
  )
  .map((seeds) => workflowOf(seeds));

export const stateLabel = (index: number) => `s${index}`;
export const callbackLabels = ['a', 'b', 'c', 'd', 'e', 'f'];

function workflowOf(seeds: readonly StateSeed[]): Workflow {
  const labels = seeds.map((_seed, index) => stateLabel(index));
  return { initial: stateLabel(0), states: seeds.map((seed, index) => stateOf(seed, stateLabel(index), labels)) };
}

export function stateOf({ callbacks, transitions }: StateSeed, label: string, states: readonly string[]): State {
  const made = callbacks.map((seed, index) => callbackOf(seed, callbackLabels[index] ?? '', states));
  const names = { states, callbacks: made.map((callback) => callback.label) };
  return { label, callbacks: made, transitions: transitions.map((seed) => transitionOf(seed, names)) };
}

export const callbackOf = (seed: CallbackSeed, label: string, states: readonly string[]): Callback => ({
  ...seed,
  label,
  condition: seed.condition({ states, callbacks: [] }),
});

export const transitionOf = (seed: TransitionSeed, names: Names): Transition => ({
  ...seed,
  destination: names.states[seed.destination % names.states.length] ?? '',
  condition: seed.condition(names),
});
