/** The sentences below the title of a workflow. */
import { count, countOf } from '../../ui/numbers.ts';
import type { StateCounts } from './use-workflow.ts';

type Counted = Pick<StateCounts, 'state' | 'experiments' | 'attention' | 'retrying'>;

const sum = (states: readonly Counted[], key: 'experiments' | 'attention' | 'retrying') =>
  states.reduce((total, state) => total + state[key], 0);

const attentionText = (number: number) => {
  if (number === 0) return 'None need attention';
  return number === 1 ? '1 needs attention' : `${count(number)} need attention`;
};

/** The number of experiments in final states. */
export const finishedIn = (states: readonly Counted[], isFinal: (state: Counted['state']) => boolean): number =>
  sum(
    states.filter(({ state }) => isFinal(state)),
    'experiments',
  );

export function aboutWorkflow(states: readonly Counted[], finished: number): string {
  const all = sum(states, 'experiments');
  if (all === 0) return 'No experiments yet.';
  const retrying = sum(states, 'retrying');
  const retries = retrying === 0 ? '' : `, ${count(retrying)} ${retrying === 1 ? 'is' : 'are'} retrying automatically`;
  const attention = attentionText(sum(states, 'attention'));
  return `${countOf(all - finished, 'experiment')} active, ${count(finished)} finished. ${attention}${retries}.`;
}

/** What needed attention is not counted for past days. */
export function aboutPastWorkflow(states: readonly Counted[], finished: number): string {
  const all = sum(states, 'experiments');
  return all === 0
    ? 'No experiments.'
    : `${countOf(all - finished, 'experiment')} active, ${count(finished)} finished.`;
}
