/**
 * Warnings about parts of a definition that are valid but probably unintended: unreachable states, transitions that are never
 * taken, transitions that are also taken after a failure, states that wait for a user, colours that two states have, and functions
 * that are not built in.
 */
import { nearestName } from '@milepost/api';
import { functionNames } from '../callback-arguments.ts';
import { endlessLoops } from './loop-warnings.ts';
import type { DefinitionTransition, Mover } from './definition.ts';
import type { At, ReadState } from './entries.ts';
import type { WarningCode } from './finding-codes.ts';
import type { Finding as AnyFinding } from './findings.ts';

type Finding = AnyFinding<WarningCode>;

/** `faults` are those of the file. Warnings that could be their consequence are left out. */
export function findWarnings(states: readonly ReadState[], start: string, faults: readonly AnyFinding[]): Finding[] {
  const hiding = faults.filter(hidesParts).map(({ pointer }) => pointer);
  const isWhole = start !== '' && hiding.length === 0 && !faults.some(({ code }) => code === 'unknown_state');
  const looks = faults.map(({ pointer }) => pointer).filter((pointer) => ofLook.test(pointer));
  const misspelt = new Set([...hiding, ...looks].map((pointer) => /^\/states\/\d+/.exec(pointer)?.[0]));
  // In the older layout, any state could be the source of a transition that is not known.
  const isClear = !faults.some(losesSource);
  const clear = isClear ? states.filter(({ pointer, label }) => !misspelt.has(pointer) && label !== '') : [];
  const waiting = waitingStart(clear, start);
  return [
    ...(isWhole ? [...unreachable(states, start), ...endlessLoops(states)] : []),
    ...accidentalEnds(clear, start),
    ...waiting,
    ...sameColours(states),
    ...undecided(clear.filter(({ pointer }) => !waiting.some((found) => found.pointer === pointer))),
    ...clear.flatMap((state) => [...neverChosen(state), ...continuesAfterFailure(state)]),
    ...states.flatMap((state) => [...unknownFunctions(state), ...endlessRuns(state)]),
  ];
}

/** Faults because of which a callback, a transition or its condition is not known. */
const hidesParts = ({ code, pointer }: AnyFinding) =>
  code !== 'unknown_state' &&
  (ofOlderTransition.test(pointer) ||
    /^\/states\/\d+\/(?:callbacks|transitions(?:\/\d+(?:\/(?:by|destination))?)?)$/.test(pointer));

const losesSource = ({ code, pointer }: AnyFinding) =>
  code === 'unknown_state' ? /^\/transitions\/\d+\/source$/.test(pointer) : ofOlderTransition.test(pointer);

const ofOlderTransition = /^\/transitions(?:\/\d+(?:\/(?:by|source|destination))?)?$/;

/** Without them, it is not known whether experiments can stay in the state. */
const ofLook = /^\/states\/\d+\/(?:outcome|decision)$/;

function unreachable(states: readonly ReadState[], start: string): Finding[] {
  const byLabel = new Map(states.map((state) => [state.label, state]));
  const reached = new Set([start]);
  // Iterating over a set includes elements that are added on the way.
  for (const label of reached)
    for (const { destination } of byLabel.get(label)?.transitions ?? []) reached.add(destination);
  return states
    .filter(({ label }) => !reached.has(label))
    .map(({ pointer, label }) => ({
      code: 'unreachable_state',
      pointer,
      detail: `No transitions lead from the initial state "${start}" to "${label}". Experiments reach it only by a correction.`,
    }));
}

function waitingStart(states: readonly ReadState[], start: string): Finding[] {
  const state = states.find(({ label }) => label === start);
  const [exit, ...others] = state?.transitions ?? [];
  if (!state || !exit || others.length > 0 || state.callbacks.length > 0) return [];
  if (state.decision || exit.by === 'person') return [];
  const detail =
    `Experiments start in "${start}" and stay there until a user moves them, because it has no callbacks. ` +
    `To start in the next state, as older files expect, add "initial: ${exit.destination}".`;
  return [{ code: 'waits_for_user', pointer: state.pointer, detail }];
}

/** A state is a fine place to stay, or users must decide there. Only the author knows which. */
const undecided = (states: readonly ReadState[]): Finding[] =>
  states.flatMap((state) => {
    const detail = state.transitions.length === 0 ? ofFinal(state) : ofOthers(state);
    const code = state.decision || state.outcome ? 'useless_setting' : 'waits_for_user';
    return detail === undefined ? [] : [{ code, pointer: state.pointer, detail }];
  });

const ofFinal = ({ label, decision }: ReadState) =>
  decision && `"${label}" is a final state, so users have nothing to decide there. Remove its decision.`;

function ofOthers({ label, callbacks, transitions, outcome, decision }: ReadState): string | undefined {
  const byPersons = transitions.every(({ by }) => by === 'person');
  if (outcome && (decision || byPersons)) {
    const cause = decision ? 'its decision' : '"by: person" from one of its transitions';
    return (
      `Experiments in "${label}" wait for a decision, although it has an outcome. Remove the outcome. If experiments can stay ` +
      `there, remove ${cause} instead.`
    );
  }
  if (outcome || decision || byPersons || callbacks.length > 0) return undefined;
  return (
    `Experiments stay in "${label}" until a user moves them, because it has no callbacks. If a user must decide, add the line ` +
    '"decision: {}" to the state. If they can stay there, add "outcome: neutral". To move them automatically, add a callback.'
  );
}

function sameColours(states: readonly ReadState[]): Finding[] {
  const first = new Map<string, string>();
  return states.flatMap(({ pointer, label, colour }) => {
    if (colour === undefined) return [];
    const other = first.get(colour);
    if (other === undefined) first.set(colour, label);
    return other === undefined
      ? []
      : [
          {
            code: 'same_colour',
            pointer: `${pointer}/colour`,
            detail: `"${other}" has the same colour. Choose another one for "${label}".`,
          },
        ];
  });
}

const isUnconditional = ({ condition }: DefinitionTransition) => condition === '' || condition === 'true';

/** The transitions before a transition that are taken whenever it could be. */
interface Earlier {
  /** Who can take them, by destination. */
  movers: Map<string, Set<Mover>>;
  /** The first one for the engine. */
  first: DefinitionTransition | undefined;
}

/** By condition. Transitions without one are taken whenever a later one could be, and so are those with the same condition. */
function neverChosen({ callbacks, transitions }: ReadState): Finding[] {
  const earlier = new Map<string, Earlier>();
  return transitions.flatMap((transition) => {
    const own = isUnconditional(transition) ? '' : transition.condition;
    const detail =
      whyNeverChosen(transition, earlier.get(''), callbacks.length > 0, 'no condition') ??
      whyNeverChosen(transition, earlier.get(own), callbacks.length > 0, 'the same condition');
    earlier.set(own, withTransition(earlier.get(own), transition));
    return detail === undefined ? [] : [{ code: 'shadowed_transition', pointer: transition.pointer, detail }];
  });
}

function withTransition(earlier: Earlier | undefined, transition: DefinitionTransition): Earlier {
  const { movers, first } = earlier ?? { movers: new Map<string, Set<Mover>>(), first: undefined };
  const { destination, by } = transition;
  movers.set(destination, (movers.get(destination) ?? new Set()).add(by));
  return { movers, first: first ?? (by === 'person' ? undefined : transition) };
}

/** Users choose a destination. The engine takes the first transition that holds, and only in states with callbacks. */
function whyNeverChosen(
  { destination, by }: At<DefinitionTransition>,
  earlier: Earlier | undefined,
  engineTries: boolean,
  has: string,
): string | undefined {
  const same = earlier?.movers.get(destination);
  if (same && (same.has(by) || same.has('both')))
    return `This transition is never taken. An earlier transition to "${destination}" has ${has}.`;
  if (!earlier?.first || by === 'person' || (by === 'both' && !engineTries)) return undefined;
  const never = `The engine never takes this transition. The transition to "${earlier.first.destination}" before it has ${has}.`;
  return by === 'engine' ? never : `${never} Users can still take it. If that is intended, add "by: person".`;
}

/** No warning if an earlier condition reads callbacks, because then their failure was considered. */
function continuesAfterFailure({ callbacks, transitions }: ReadState): Finding[] {
  const tried = transitions.filter(({ by }) => by !== 'person');
  const exit = tried.find(isUnconditional);
  if (!exit || callbacks.length === 0) return [];
  if (tried.slice(0, tried.indexOf(exit)).some(({ condition }) => condition.includes('callbacks'))) return [];
  const [{ label } = { label: '' }] = callbacks;
  const detail =
    `This transition is also taken when a callback fails. To prevent that, add a condition such as ` +
    `callbacks['${label}'].result == 'success'.`;
  return [{ code: 'ignores_failure', pointer: exit.pointer, detail }];
}

const unknownFunctions = ({ callbacks }: ReadState): Finding[] =>
  callbacks
    .filter((callback) => callback.function !== '' && !functionNames.includes(callback.function))
    .map((callback) => ({
      code: 'unknown_function',
      pointer: `${callback.pointer}/function`,
      detail: `"${callback.function}" is not a built-in function. ${adviceFor(callback.function)}`,
    }));

function adviceFor(name: string): string {
  const nearest = nearestName(name, functionNames);
  return nearest === undefined
    ? 'Its runs wait for one of your workers on the queue of that name.'
    : `Did you mean "${nearest}"? Otherwise, its runs wait for one of your workers on the queue of that name.`;
}

/** Only a worker outside of Milepost can end such a run. */
const endlessRuns = ({ callbacks }: ReadState): Finding[] =>
  callbacks
    .filter((callback) => callback.function === 'worker' && callback.run_timeout === 0)
    .map((callback) => ({
      code: 'endless_run',
      pointer: `${callback.pointer}/run_timeout`,
      detail:
        'With run_timeout: 0, a run of a worker that never reports stays open without end. Set run_timeout to the longest time ' +
        'that the work can take, in minutes.',
    }));

/** An end without an outcome, if other ends have one or if its callbacks lead to nothing. */
function accidentalEnds(states: readonly ReadState[], start: string): Finding[] {
  const ends = states.filter(({ transitions }) => transitions.length === 0);
  const haveOutcomes = ends.some(({ outcome }) => outcome);
  return ends
    .filter(({ label, outcome, callbacks }) => !outcome && label !== start && (haveOutcomes || callbacks.length > 0))
    .map(({ pointer, label, callbacks }) => ({
      code: 'accidental_end',
      pointer,
      detail:
        `"${label}" is a final state${callbacks.length > 0 ? ' with callbacks, and nothing follows them' : ''}. Add transitions, or ` +
        '"outcome: good", "bad" or "neutral" if experiments end there.',
    }));
}
