/**
 * What a definition may say and probably does not mean (rule 9 and "Definition file" of the engine's law): states nobody
 * reaches, transitions nobody takes, a failure that goes on as if it were none, a start that waits for a person, functions
 * that nothing here runs.
 */
import { builtInFunctions } from './definition.ts';
import type { DefinitionTransition, Mover } from './definition.ts';
import type { At, ReadState } from './definition-entries.ts';
import type { Finding } from './definition-findings.ts';

export function findWarnings(states: readonly ReadState[], start: string): Finding[] {
  return [
    ...unreachable(states, start),
    ...waitingStart(states, start),
    ...states.flatMap((state) => [...neverChosen(state), ...failureGoesOn(state), ...foreignFunctions(state)]),
  ];
}

function unreachable(states: readonly ReadState[], start: string): Finding[] {
  const byLabel = new Map(states.map((state) => [state.label, state]));
  const reached = new Set([start]);
  // A set can grow while it is walked.
  for (const label of reached)
    for (const { destination } of byLabel.get(label)?.transitions ?? []) reached.add(destination);
  return states
    .filter(({ label }) => !reached.has(label))
    .map(({ pointer, label }) => ({
      pointer,
      detail: `No way leads from the start, "${start}", to "${label}": experiments get there by a correction only.`,
    }));
}

function waitingStart(states: readonly ReadState[], start: string): Finding[] {
  const state = states.find(({ label }) => label === start);
  const [exit, ...others] = state?.transitions ?? [];
  if (!state || !exit || others.length > 0 || state.callbacks.length > 0) return [];
  const detail =
    `Experiments start in "${start}" and stay there until somebody moves them on, as it has no callbacks. If they ` +
    `should start behind it, as older files expect, add "initial: ${exit.destination}".`;
  return [{ pointer: state.pointer, detail }];
}

const isUnconditional = ({ condition }: DefinitionTransition) => condition === '' || condition === 'true';

/** What comes without a condition before a transition. */
interface Earlier {
  /** By their destination: who takes them. */
  movers: Map<string, Set<Mover>>;
  /** The first that the engine would take. */
  first: DefinitionTransition | undefined;
}

function neverChosen({ callbacks, transitions }: ReadState): Finding[] {
  const earlier: Earlier = { movers: new Map(), first: undefined };
  return transitions.flatMap((transition) => {
    const detail = whyNeverChosen(transition, earlier, callbacks.length > 0);
    if (isUnconditional(transition)) add(earlier, transition);
    return detail === undefined ? [] : [{ pointer: transition.pointer, detail }];
  });
}

function add(earlier: Earlier, transition: DefinitionTransition): void {
  const { destination, by } = transition;
  earlier.movers.set(destination, (earlier.movers.get(destination) ?? new Set()).add(by));
  if (by !== 'person') earlier.first ??= transition;
}

/** People choose by destination, the engine takes the first that holds, and only where callbacks have ended. */
function whyNeverChosen(
  { destination, by }: At<DefinitionTransition>,
  { movers, first }: Earlier,
  engineTries: boolean,
): string | undefined {
  const same = movers.get(destination);
  if (same && (same.has(by) || same.has('both')))
    return `It is never taken: an earlier transition to "${destination}" without a condition comes first.`;
  if (!first || by === 'person' || (by === 'both' && !engineTries)) return undefined;
  const never = `It is never chosen by the engine: the transition to "${first.destination}" before it has no condition.`;
  return by === 'engine' ? never : `${never} People still can; say "by: person" if that is meant.`;
}

/** A condition that speaks of callbacks shows that their failure was thought of. */
function failureGoesOn({ callbacks, transitions }: ReadState): Finding[] {
  const tried = transitions.filter(({ by }) => by !== 'person');
  const exit = tried.find(isUnconditional);
  if (!exit || callbacks.length === 0) return [];
  if (tried.slice(0, tried.indexOf(exit)).some(({ condition }) => condition.includes('callbacks'))) return [];
  const [{ label } = { label: '' }] = callbacks;
  const detail =
    `It is taken also when a callback fails. If it should not be, give it a condition such as ` +
    `callbacks['${label}'].result == 'success'.`;
  return [{ pointer: exit.pointer, detail }];
}

const foreignFunctions = ({ callbacks }: ReadState): Finding[] =>
  callbacks
    .filter((callback) => !builtInFunctions.includes(callback.function))
    .map((callback) => ({
      pointer: `${callback.pointer}/function`,
      detail: `Nothing here runs "${callback.function}": its executions wait for a worker of yours on the queue of that name.`,
    }));
