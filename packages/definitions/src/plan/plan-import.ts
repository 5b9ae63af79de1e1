/**
 * Plans the changes that an import makes to the current workflow. States and callbacks are matched by label, transitions by
 * source, destination and their number among the transitions of that pair. Parts that the definition lacks are retired, and parts
 * that return are revived under their id. Nothing is deleted. An equal definition changes nothing. Planning has no side effects,
 * and it yields between parts, because each takes some milliseconds for a large workflow.
 */
import type {
  Definition,
  DefinitionCallback,
  DefinitionState,
  DefinitionTransition,
  StateLook,
} from '../file/definition.ts';
import { sortByName } from '../file/definition.ts';
import { matchParts, positionsFor, reordered, type Matched } from './match-parts.ts';

/** Includes retired parts, because they can return. */
export interface CurrentState extends Look {
  id: number;
  label: string;
  freetext: string;
  position: number;
  retired: boolean;
}

/** As stored: null if the file does not set it. */
type Look = { [K in keyof Required<StateLook>]: Required<StateLook>[K] | null };

export interface CurrentCallback extends DefinitionCallback {
  id: number;
  state_id: number;
  version: number;
  position: number;
  retired: boolean;
}

/** A transition of kind `defined`. */
export interface CurrentTransition {
  id: number;
  source_state_id: number;
  destination_state_id: number;
  ordinal: number;
  position: number;
  condition: string;
  by: DefinitionTransition['by'];
  title: string | null;
  retired: boolean;
}

export interface CurrentWorkflow {
  id: number;
  label: string;
  revision: number;
  initial_state_id: number | null;
  states: CurrentState[];
  callbacks: CurrentCallback[];
  transitions: CurrentTransition[];
}

export type PlannedState = Omit<DefinitionState, 'callbacks' | 'transitions'> & { position: number };
/** `state` is the label of its state. */
export type PlannedCallback = DefinitionCallback & { state: string; position: number };
export type PlannedTransition = DefinitionTransition & { source: string; ordinal: number; position: number };

export interface ImportPlan {
  outcome: 'new' | 'changed' | 'identical';
  states: Matched<PlannedState, CurrentState>;
  callbacks: Matched<PlannedCallback, CurrentCallback>;
  transitions: Matched<PlannedTransition, CurrentTransition>;
}

const yieldToOthers = () => new Promise((resolve) => setTimeout(resolve));

export async function planImport(current: CurrentWorkflow | undefined, definition: Definition): Promise<ImportPlan> {
  const labels = new Map(current?.states.map(({ id, label }) => [id, label]));
  await yieldToOthers();
  const states = planStates(current?.states ?? [], definition);
  await yieldToOthers();
  const callbacks = planCallbacks(current?.callbacks ?? [], labels, definition);
  await yieldToOthers();
  const transitions = planTransitions(current?.transitions ?? [], labels, definition);
  await yieldToOthers();
  return { outcome: outcomeOf(current, definition), states, callbacks, transitions };
}

function outcomeOf(current: CurrentWorkflow | undefined, definition: Definition): ImportPlan['outcome'] {
  if (!current) return 'new';
  return JSON.stringify(definitionOf(current)) === JSON.stringify(definition) ? 'identical' : 'changed';
}

function planStates(current: readonly CurrentState[], { states }: Definition): ImportPlan['states'] {
  const wanted = states.map(({ callbacks: _callbacks, transitions: _transitions, ...state }, position) => ({
    ...state,
    position,
  }));
  const matched = matchParts(wanted, current, {
    keyOfWanted: ({ label }) => label,
    keyOfCurrent: ({ label }) => label,
  });
  const moved = reordered(matched.kept);
  return matched.classify(
    (state, before) => state.freetext !== before.freetext || !sameLook(state, before) || moved.has(before.id),
  );
}

/** The fields that are set, in the order after reading a file. */
const lookOf = ({ title, colour, outcome, decision }: Partial<Look>): StateLook => ({
  ...(title && { title }),
  ...(colour && { colour }),
  ...(outcome && { outcome }),
  ...(decision && { decision }),
});

const sameLook = (a: StateLook, b: Look) => JSON.stringify(lookOf(a)) === JSON.stringify(lookOf(b));

/** Labels contain no control characters, so a line break is a safe separator. */
const key = (...parts: (string | number | undefined)[]) => parts.join('\n');

function planCallbacks(
  current: readonly CurrentCallback[],
  labels: ReadonlyMap<number, string>,
  { states }: Definition,
): ImportPlan['callbacks'] {
  const before = Map.groupBy(current, ({ state_id }) => labels.get(state_id));
  const wanted = states.flatMap((state) => {
    const positions = positionsFor(state.callbacks, before.get(state.label) ?? []);
    return state.callbacks.map((callback, index) => ({
      ...callback,
      state: state.label,
      position: positions[index] ?? index,
    }));
  });
  const matched = matchParts(wanted, current, {
    keyOfWanted: ({ state, label }) => key(state, label),
    keyOfCurrent: ({ state_id, label }) => key(labels.get(state_id), label),
  });
  return matched.classify((callback, known) => callback.position !== known.position || !sameCallback(callback, known));
}

/** A retired callback that returns with equal settings keeps its version. */
export const sameCallback = (a: DefinitionCallback, b: DefinitionCallback): boolean =>
  JSON.stringify(pickCallback(a)) === JSON.stringify(pickCallback(b));

function planTransitions(
  current: readonly CurrentTransition[],
  labels: ReadonlyMap<number, string>,
  { states }: Definition,
): ImportPlan['transitions'] {
  const wanted = states.flatMap(numbered);
  const matched = matchParts(wanted, current, {
    keyOfWanted: ({ source, destination, ordinal }) => key(source, destination, ordinal),
    keyOfCurrent: ({ source_state_id: source, destination_state_id: destination, ordinal }) =>
      key(labels.get(source), labels.get(destination), ordinal),
  });
  const bySource = Map.groupBy(matched.kept, ([, before]) => before.source_state_id);
  const moved = new Set([...bySource.values()].flatMap((kept) => [...reordered(kept)]));
  return matched.classify(
    (transition, before) =>
      transition.condition !== before.condition ||
      transition.by !== before.by ||
      (transition.title ?? null) !== before.title ||
      moved.has(before.id),
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

/** The definition that produces the current workflow. */
export function definitionOf({ label, initial_state_id, states, callbacks, transitions }: CurrentWorkflow): Definition {
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
      transitions: (transitionsOf.get(state.id) ?? []).map(({ destination_state_id, condition, by, title }) => ({
        destination: labels.get(destination_state_id) ?? '',
        condition,
        by,
        ...(title !== null && { title }),
      })),
      ...lookOf(state),
    })),
  };
}

const inOrder = <P extends { id: number; position: number; retired: boolean }>(parts: readonly P[]): P[] =>
  parts.filter(({ retired }) => !retired).toSorted((a, b) => a.position - b.position || a.id - b.id);

/** With fields in the same order as after reading a file, because definitions are compared as JSON. */
const pickCallback = (callback: DefinitionCallback): DefinitionCallback => ({
  label: callback.label,
  function: callback.function,
  callback_arguments: callback.callback_arguments,
  condition: callback.condition,
  description: callback.description,
  initial_delay: callback.initial_delay,
  run_timeout: callback.run_timeout,
  wait_timeout: callback.wait_timeout,
  retry_for: callback.retry_for,
  retry_first: callback.retry_first,
  variable_map: sortByName(callback.variable_map),
});
