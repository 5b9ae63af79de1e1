/**
 * What an import does to a living workflow ("Importing again" of the engine's law): states and callbacks match by label,
 * transitions by source, destination and being the n-th of that pair. What is gone from the definition is retired, what
 * returns is revived under its id, and nothing is ever deleted. A definition that says what the living one says changes
 * nothing. The function is given both and answers the plan; it touches nothing else. Of a large workflow each part takes
 * some milliseconds, so others get a turn in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Definition, DefinitionCallback, DefinitionState, DefinitionTransition } from './definition.ts';
import { hashDefinition, inNameOrder } from './definition.ts';
import { matchParts, placesFor, reordered, type Matched } from './plan-import-parts.ts';

/** Retired parts are here, too: they may return. */
export interface LivingState {
  id: number;
  label: string;
  freetext: string;
  position: number;
  retired: boolean;
}

export interface LivingCallback extends DefinitionCallback {
  id: number;
  state_id: number;
  version: number;
  position: number;
  retired: boolean;
}

/** Of kind `defined`. */
export interface LivingTransition {
  id: number;
  source_state_id: number;
  destination_state_id: number;
  ordinal: number;
  position: number;
  condition: string;
  by: DefinitionTransition['by'];
  retired: boolean;
}

export interface LivingWorkflow {
  id: number;
  label: string;
  revision: number;
  initial_state_id: number | null;
  states: LivingState[];
  callbacks: LivingCallback[];
  transitions: LivingTransition[];
}

export type PlannedState = Pick<DefinitionState, 'label' | 'freetext'> & { position: number };
/** Belongs to the state of that label. */
export type PlannedCallback = DefinitionCallback & { state: string; position: number };
export type PlannedTransition = DefinitionTransition & { source: string; ordinal: number; position: number };

export interface ImportPlan {
  outcome: 'new' | 'changed' | 'identical';
  states: Matched<PlannedState, LivingState>;
  callbacks: Matched<PlannedCallback, LivingCallback>;
  transitions: Matched<PlannedTransition, LivingTransition>;
}

/** `hash` is that of the definition, where it is known already. */
export async function planImport(
  living: LivingWorkflow | undefined,
  definition: Definition,
  hash: string = hashDefinition(definition),
): Promise<ImportPlan> {
  const labels = new Map(living?.states.map(({ id, label }) => [id, label]));
  await nextTurn();
  const states = planStates(living?.states ?? [], definition);
  await nextTurn();
  const callbacks = planCallbacks(living?.callbacks ?? [], labels, definition);
  await nextTurn();
  const transitions = planTransitions(living?.transitions ?? [], labels, definition);
  await nextTurn();
  return { outcome: outcomeOf(living, hash), states, callbacks, transitions };
}

function outcomeOf(living: LivingWorkflow | undefined, hash: string): ImportPlan['outcome'] {
  if (!living) return 'new';
  return hashDefinition(definitionOf(living)) === hash ? 'identical' : 'changed';
}

function planStates(living: readonly LivingState[], { states }: Definition): ImportPlan['states'] {
  const wanted = states.map(({ label, freetext }, position) => ({ label, freetext, position }));
  const matched = matchParts(wanted, living, { keyOfWanted: ({ label }) => label, keyOfLiving: ({ label }) => label });
  const moved = reordered(matched.kept);
  return matched.settle((state, before) => state.freetext !== before.freetext || moved.has(before.id));
}

/** Labels have no control characters. */
const key = (...parts: (string | number | undefined)[]) => parts.join('\n');

function planCallbacks(
  living: readonly LivingCallback[],
  labels: ReadonlyMap<number, string>,
  { states }: Definition,
): ImportPlan['callbacks'] {
  const before = Map.groupBy(living, ({ state_id }) => labels.get(state_id));
  const wanted = states.flatMap((state) => {
    const places = placesFor(state.callbacks, before.get(state.label) ?? []);
    return state.callbacks.map((callback, index) => ({
      ...callback,
      state: state.label,
      position: places[index] ?? index,
    }));
  });
  const matched = matchParts(wanted, living, {
    keyOfWanted: ({ state, label }) => key(state, label),
    keyOfLiving: ({ state_id, label }) => key(labels.get(state_id), label),
  });
  return matched.settle((callback, known) => callback.position !== known.position || !sameCallback(callback, known));
}

/** A retired one whose settings are what they were comes back under its old version. */
export const sameCallback = (a: DefinitionCallback, b: DefinitionCallback): boolean =>
  JSON.stringify(pickCallback(a)) === JSON.stringify(pickCallback(b));

function planTransitions(
  living: readonly LivingTransition[],
  labels: ReadonlyMap<number, string>,
  { states }: Definition,
): ImportPlan['transitions'] {
  const wanted = states.flatMap(numbered);
  const matched = matchParts(wanted, living, {
    keyOfWanted: ({ source, destination, ordinal }) => key(source, destination, ordinal),
    keyOfLiving: ({ source_state_id: source, destination_state_id: destination, ordinal }) =>
      key(labels.get(source), labels.get(destination), ordinal),
  });
  const bySource = Map.groupBy(matched.kept, ([, before]) => before.source_state_id);
  const moved = new Set([...bySource.values()].flatMap((kept) => [...reordered(kept)]));
  return matched.settle(
    (wish, before) => wish.condition !== before.condition || wish.by !== before.by || moved.has(before.id),
  );
}

/** The transitions of a state, each with its number among those to the same destination. */
function numbered({ label: source, transitions }: DefinitionState): PlannedTransition[] {
  const counts = new Map<string, number>();
  return transitions.map((transition, position) => {
    const ordinal = (counts.get(transition.destination) ?? 0) + 1;
    counts.set(transition.destination, ordinal);
    return { ...transition, source, ordinal, position };
  });
}

/** What the living workflow would be written as. */
export function definitionOf({ label, initial_state_id, states, callbacks, transitions }: LivingWorkflow): Definition {
  const labels = new Map(states.map((state) => [state.id, state.label]));
  const callbacksOf = Map.groupBy(inOrder(callbacks), ({ state_id }) => state_id);
  const transitionsOf = Map.groupBy(inOrder(transitions), ({ source_state_id }) => source_state_id);
  return {
    label,
    initial: labels.get(initial_state_id ?? 0) ?? '',
    states: inOrder(states).map((state) => ({
      label: state.label,
      freetext: state.freetext,
      callbacks: (callbacksOf.get(state.id) ?? []).map(pickCallback),
      transitions: (transitionsOf.get(state.id) ?? []).map(({ destination_state_id, condition, by }) => ({
        destination: labels.get(destination_state_id) ?? '',
        condition,
        by,
      })),
    })),
  };
}

const inOrder = <P extends { id: number; position: number; retired: boolean }>(parts: readonly P[]): P[] =>
  parts.filter(({ retired }) => !retired).toSorted((a, b) => a.position - b.position || a.id - b.id);

/** In the order in which a file that was read has them, as the hash depends on it. */
const pickCallback = (callback: DefinitionCallback): DefinitionCallback => ({
  label: callback.label,
  function: callback.function,
  callback_arguments: callback.callback_arguments,
  condition: callback.condition,
  description: callback.description,
  initial_delay: callback.initial_delay,
  run_timeout: callback.run_timeout,
  wait_timeout: callback.wait_timeout,
  variable_map: inNameOrder(callback.variable_map),
});
