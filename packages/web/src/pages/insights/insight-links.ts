/** Links from figures to the experiments that they count, where a query can express them. */
import { queries } from '@milepost/api';
import { paths } from '../../paths.ts';
import { queryOf } from '../../query/query-path.ts';
import { dayAfter } from './week-text.ts';

interface Shown {
  workflow: string;
  /** Undefined for all cohorts. */
  cohort: string | undefined;
  /** The query of the page. */
  q: string;
}

const valueOf = (text: string) => queries.printValue({ text, quoted: false });
const statesTerm = (labels: readonly string[]) => `state:${labels.map(valueOf).join(',')}`;

export interface InsightLinks {
  inStates: (labels: readonly string[]) => string;
  /** Those that have been in the state for the longest time come first. */
  oldestIn: (label: string) => string;
  /** Experiments in these states whose last move was in the week that begins on this day. */
  movedIn: (labels: readonly string[], week: string) => string;
  withVariable: (name: string, value: string) => string;
}

export function insightLinks({ workflow, cohort, q }: Shown): InsightLinks {
  const names = queryOf({ workflow, ...(cohort === undefined ? {} : { cohort }) });
  const search = (...terms: string[]) =>
    new URLSearchParams({ q: [q, names, ...terms].filter((part) => part !== '').join(' ') });
  const to = (...terms: string[]) => `${paths.experiments}?${search(...terms)}`;
  return {
    inStates: (labels) => to(statesTerm(labels)),
    oldestIn: (label) => `${to(statesTerm([label]))}&sort=-in-state`,
    movedIn: (labels, week) => to(statesTerm(labels), `changed:${week}..${dayAfter(week, 6)}`),
    withVariable: (name, value) => to(`var.${queries.printKey(name)}:${valueOf(value)}`),
  };
}

/** Forecasts are about whole cohorts. */
export const cohortLinks = (workflow: string, cohort: string): InsightLinks =>
  insightLinks({ workflow, cohort, q: '' });
