/**
 * Holds the parts of a definition against each other: labels are unique, transitions lead to states there are, and there
 * is a start: the state that `initial` names, else the only one no transition leads to (rule 9).
 */
import { enumerated, shortened, suggestion } from '../../nearest-name.ts';
import type { At, ReadState } from './definition-entries.ts';
import { hasEnough, type Findings } from './definition-findings.ts';

export function checkLabels(findings: Findings, states: readonly ReadState[]): void {
  const duplicates = (parts: readonly At<{ label: string }>[], where: string) => {
    const seen = new Set<string>();
    for (const { pointer, label } of parts) {
      const detail = `"${shortened(label)}" is the label of another ${where}: labels there are unique.`;
      if (label !== '' && seen.has(label)) findings.faults.push({ pointer: `${pointer}/label`, detail });
      seen.add(label);
    }
  };
  duplicates(states, 'state of this file');
  for (const state of states) duplicates(state.callbacks, 'callback of this state');
}

const mostTold = 10;
const longestTold = 80;

/** Where there are many faults already, nobody waits for a search of what was meant. */
export function addUnknownState(
  findings: Findings,
  pointer: string,
  label: string,
  states: readonly { label: string }[],
): void {
  const known = () => states.map((state) => state.label).filter((other) => other !== '');
  const meant = hasEnough(findings) ? 'look at the others first.' : suggestion(label, known(), mostTold);
  findings.faults.push({ pointer, detail: `"${shortened(label)}" is not a state of this file: ${meant}` });
}

export function checkDestinations(findings: Findings, states: readonly ReadState[]): void {
  const known = new Set(states.map(({ label }) => label));
  for (const { pointer, destination } of states.flatMap((state) => state.transitions)) {
    if (destination === '' || known.has(destination)) continue;
    addUnknownState(findings, `${pointer}/destination`, destination, states);
  }
}

/** Empty where there is none; then a fault says so, unless other faults hide which states are led to. */
export function findStart(findings: Findings, states: readonly ReadState[], initial: string | undefined): string {
  if (initial !== undefined) {
    if (states.some(({ label }) => label === initial)) return initial;
    addUnknownState(findings, '/initial', initial, states);
    return '';
  }
  const reached = new Set(states.flatMap(({ transitions }) => transitions.map(({ destination }) => destination)));
  const candidates = states.map(({ label }) => label).filter((label) => !reached.has(label));
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  if (findings.faults.length === 0) findings.faults.push({ pointer: '/states', detail: noStart(candidates, states) });
  return '';
}

const quoted = (labels: readonly string[]) =>
  enumerated(
    labels.map((label) => `"${shortened(label, longestTold)}"`),
    mostTold,
  );

function noStart(candidates: readonly string[], states: readonly ReadState[]): string {
  if (candidates.length > 1) {
    return `it is not clear where experiments start: no transition leads to ${quoted(candidates)}. Name one of them as initial.`;
  }
  const fromOthers = new Set(
    states.flatMap(({ label, transitions }) =>
      transitions.map(({ destination }) => destination).filter((destination) => destination !== label),
    ),
  );
  const onlyByItself = states.filter(({ label }) => !fromOthers.has(label));
  const likely = onlyByItself.length > 0 ? onlyByItself : states.slice(0, 1);
  return (
    'it is not clear where experiments start: a transition leads to every state. Name one as initial, ' +
    `such as ${quoted(likely.map(({ label }) => label))}.`
  );
}
