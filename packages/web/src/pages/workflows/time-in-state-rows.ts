/** The rows of the table with the time in state: each state, followed by its cohorts if there are several. */
import { durationText, preciseDurationText } from '../../ui/times.ts';
import type { StateDurations } from './use-workflow.ts';

type Figures = Pick<StateDurations, 'stays' | 'median_seconds' | 'p90_seconds'>;

export interface TimeInStateRow extends Figures {
  key: string;
  state: StateDurations['state'];
  /** Undefined for all cohorts. */
  cohort: string | undefined;
  more: boolean;
}

interface Selected {
  stateId: number | undefined;
  cohortId: number | undefined;
}

/** States without stays are left out. */
export const timeInStateRows = (states: readonly StateDurations[], { stateId, cohortId }: Selected): TimeInStateRow[] =>
  states
    .filter(({ state }) => stateId === undefined || state.id === stateId)
    .flatMap((one) => (cohortId === undefined ? stateRows(one) : cohortRows(one, cohortId)));

function stateRows(one: StateDurations): TimeInStateRow[] {
  const { state, more, cohorts, ...figures } = one;
  if (figures.stays === 0) return [];
  const all = { key: String(state.id), state, cohort: undefined, more, ...figures };
  return [all, ...(cohorts.length > 1 ? cohortRows(one) : [])];
}

const cohortRows = ({ state, more, cohorts }: StateDurations, cohortId?: number): TimeInStateRow[] =>
  cohorts
    .filter(({ cohort }) => cohortId === undefined || cohort.id === cohortId)
    .map(({ cohort, ...figures }) => ({
      key: `${state.id}/${cohort.id}`,
      state,
      cohort: cohort.label,
      more,
      ...figures,
    }));

/** `< 1 s`, `2.4 s`, `4 min`, `2 h 10 min`, `4 d 3 h`. */
export const stayText = (seconds: number): string =>
  seconds < 60 ? preciseDurationText(seconds) : durationText(seconds);

/** The median of each state with stays, in seconds. */
export const medianByState = (states: readonly StateDurations[], cohortId: number | undefined): Map<number, number> =>
  new Map(
    states.flatMap((one) => {
      const figures = cohortId === undefined ? one : one.cohorts.find(({ cohort }) => cohort.id === cohortId);
      const median = figures?.median_seconds ?? null;
      return median === null ? [] : [[one.state.id, median] as const];
    }),
  );
