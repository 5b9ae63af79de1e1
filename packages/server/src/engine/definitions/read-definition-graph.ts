/**
 * Holds the parts of a definition against each other: labels are unique, transitions lead to states there are, and there
 * is a start: the state that `initial` names, else the only one no transition leads to (rule 9).
 */
import { nearestName, suggestion } from '../../nearest-name.ts';
import type { At, ReadState } from './definition-entries.ts';
import type { Findings } from './definition-findings.ts';

export function checkLabels(findings: Findings, states: readonly ReadState[]): void {
  const duplicates = (parts: readonly At<{ label: string }>[], where: string) => {
    const seen = new Set<string>();
    for (const { pointer, label } of parts) {
      const detail = `"${label}" is the label of another ${where}: labels there are unique.`;
      if (label !== '' && seen.has(label)) findings.faults.push({ pointer: `${pointer}/label`, detail });
      seen.add(label);
    }
  };
  duplicates(states, 'state of this file');
  for (const state of states) duplicates(state.callbacks, 'callback of this state');
}

export function unknownState(label: string, states: readonly { label: string }[]): string {
  const labels = states.map((state) => state.label).filter((known) => known !== '');
  const likely = nearestName(label, labels) === undefined ? labels.slice(0, 10) : labels;
  return `"${label}" is not a state of this file: ${suggestion(label, likely)}`;
}

export function checkDestinations(findings: Findings, states: readonly ReadState[]): void {
  const known = new Set(states.map(({ label }) => label));
  for (const { pointer, destination } of states.flatMap((state) => state.transitions)) {
    if (destination === '' || known.has(destination)) continue;
    findings.faults.push({ pointer: `${pointer}/destination`, detail: unknownState(destination, states) });
  }
}

/** Empty where there is none; then a fault says so, unless other faults hide which states are led to. */
export function findStart(findings: Findings, states: readonly ReadState[], initial: string | undefined): string {
  if (initial !== undefined) {
    if (states.some(({ label }) => label === initial)) return initial;
    findings.faults.push({ pointer: '/initial', detail: unknownState(initial, states) });
    return '';
  }
  const reached = new Set(states.flatMap(({ transitions }) => transitions.map(({ destination }) => destination)));
  const candidates = states.map(({ label }) => label).filter((label) => !reached.has(label));
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  if (findings.faults.length === 0) findings.faults.push({ pointer: '/states', detail: noStart(candidates, states) });
  return '';
}

const quoted = (labels: readonly string[]) => labels.map((label) => `"${label}"`).join(', ');

function noStart(candidates: readonly string[], states: readonly ReadState[]): string {
  const onlyByItself = states.filter(
    ({ label }) => !states.some((other) => other.label !== label && leadsTo(other, label)),
  );
  if (candidates.length > 1) {
    return `it is not clear where experiments start: no transition leads to ${quoted(candidates)}. Name one of them as initial.`;
  }
  const likely = onlyByItself.length > 0 ? onlyByItself : states.slice(0, 1);
  return (
    'it is not clear where experiments start: a transition leads to every state. Name one as initial, ' +
    `such as ${quoted(likely.map(({ label }) => label))}.`
  );
}

const leadsTo = ({ transitions }: ReadState, label: string) =>
  transitions.some(({ destination }) => destination === label);
