/** Experiments by outcome, from their numbers by state. */
import { progressParts, type CohortNumbers } from '@milepost/api';
import type { Static } from 'typebox';
import type { Numbers, StateNumbers } from '../../store/screens/state-numbers.ts';

type Shown = Pick<Static<typeof CohortNumbers>, 'experiments' | 'progress' | 'last_activity'>;

export const showProgress = ({ states, last_activity }: Pick<Numbers, 'states' | 'last_activity'>): Shown => ({
  experiments: states.reduce((sum, { experiments }) => sum + experiments, 0),
  progress: progressOf(states),
  last_activity,
});

/** An experiment that needs attention is not counted under its state. */
function progressOf(states: readonly StateNumbers[]): Shown['progress'] {
  const parts = progressParts.map((part) => {
    const own = states.map((state) => ({ title: state.title, experiments: experimentsIn(part, state) }));
    const counted = own.filter(({ experiments }) => experiments > 0);
    const titles = new Set(counted.map(({ title }) => title));
    const [title] = titles;
    const isOutcome = part !== 'active' && part !== 'attention';
    return {
      part,
      title: isOutcome && titles.size === 1 ? (title ?? null) : null,
      experiments: counted.reduce((sum, { experiments }) => sum + experiments, 0),
    };
  });
  return parts.filter(({ experiments }) => experiments > 0);
}

const experimentsIn = (
  part: (typeof progressParts)[number],
  { outcome, experiments, attention }: StateNumbers,
): number => {
  if (part === 'attention') return Math.min(attention, experiments);
  return part === (outcome ?? 'active') ? Math.max(0, experiments - attention) : 0;
};
