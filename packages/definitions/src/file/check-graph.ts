/**
 * Checks the parts of a definition against each other: labels are unique, transitions lead to existing states, and there is an
 * initial state: the one that `initial` names, or the only one that no transition leads to.
 */
import { enumerated, nearestName, shortened, suggestion } from '@milepost/api';
import type { At, ReadState } from './entries.ts';
import { hasEnough, type Finding, type Findings } from './findings.ts';

export function checkLabels(findings: Findings, states: readonly ReadState[]): void {
  const duplicates = (parts: readonly At<{ label: string }>[], where: string) => {
    const seen = new Set<string>();
    for (const { pointer, label } of parts) {
      const detail = `another ${where} has the label "${shortened(label)}".`;
      if (label !== '' && seen.has(label))
        findings.faults.push({ code: 'repeated_label', pointer: `${pointer}/label`, detail });
      seen.add(label);
    }
  };
  duplicates(states, 'state in this file');
  for (const state of states) duplicates(state.callbacks, 'callback of this state');
}

const maxNamed = 10;
const maxSearched = 200;
const maxLabelLength = 80;

/** Skips the expensive search for a suggestion if there are many faults already. */
export function addUnknownState(
  findings: Findings,
  pointer: string,
  label: string,
  states: readonly { label: string }[],
): void {
  const known = () => states.map((state) => state.label).filter((other) => other !== '');
  const advice = hasEnough(findings) ? 'Fix the other errors first.' : suggestion(label, known(), maxNamed);
  findings.faults.push({
    code: 'unknown_state',
    pointer,
    detail: `"${shortened(label)}" is not a state of this file. ${advice}`,
  });
}

export function checkDestinations(findings: Findings, states: readonly ReadState[]): void {
  const known = new Set(states.map(({ label }) => label));
  for (const { pointer, destination } of states.flatMap((state) => state.transitions)) {
    if (destination === '' || known.has(destination)) continue;
    addUnknownState(findings, `${pointer}/destination`, destination, states);
  }
}

/** Empty if there is none. A fault is added unless other faults could be the cause. A misspelt destination counts as the nearest. */
export function findStart(findings: Findings, states: readonly ReadState[], initial: string | undefined): string {
  if (initial !== undefined) {
    if (states.length === 0) return '';
    if (states.some(({ label }) => label === initial)) return initial;
    addUnknownState(findings, '/initial', initial, states);
    return '';
  }
  const labels = states.map(({ label }) => label);
  const known = new Set(labels);
  const meant = (destination: string, source: string) => {
    if (known.has(destination) || hasEnough(findings)) return destination;
    const nearest = nearestName(destination, labels.slice(0, maxSearched));
    // Few transitions lead back to their own state.
    return nearest === source ? undefined : nearest;
  };
  const reached = new Set(
    states.flatMap(({ label, transitions }) => transitions.map(({ destination }) => meant(destination, label))),
  );
  const candidates = labels.filter((label) => !reached.has(label));
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  if (!findings.faults.some(couldHideParts))
    findings.faults.push({ code: 'no_initial_state', pointer: '/states', detail: noStart(candidates, states) });
  return '';
}

/**
 * Faults of a state or transition itself, and of the lists of them: a state or transition could be missing because of them. Fields that are
 * not known hide nothing, because those that are only misspelt have been renamed.
 */
const couldHideParts = ({ code, pointer }: Finding): boolean => {
  if (code === 'repeated_label') return true;
  if (code === 'unknown_field') return false;
  const isPart = /^\/(?:[^/]+|(?:states|transitions)\/\d+(?:\/(?!callbacks?$)[^/]+)?)$/;
  return (
    isPart.test(pointer) || (code !== 'unknown_state' && /\/transitions(?:\/\d+(?:\/destination)?)?$/.test(pointer))
  );
};

const quoted = (labels: readonly string[]) =>
  enumerated(
    labels.map((label) => `"${shortened(label, maxLabelLength)}"`),
    maxNamed,
  );

const addInitial = ([first = '']: readonly string[]) =>
  `Add a line with the state in which experiments start, such as "initial: ${shortened(first, maxLabelLength)}".`;

function noStart(candidates: readonly string[], states: readonly ReadState[]): string {
  if (candidates.length > 1) {
    return `the initial state is ambiguous, because no transition leads to ${quoted(candidates)}. ${addInitial(candidates)}`;
  }
  const fromOthers = new Set(
    states.flatMap(({ label, transitions }) =>
      transitions.map(({ destination }) => destination).filter((destination) => destination !== label),
    ),
  );
  const onlyByItself = states.filter(({ label }) => !fromOthers.has(label));
  const likely = onlyByItself.length > 0 ? onlyByItself : states.slice(0, 1);
  return (
    'the initial state is ambiguous, because transitions lead to every state. ' +
    addInitial(likely.map(({ label }) => label))
  );
}
