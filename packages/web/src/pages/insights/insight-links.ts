/** Links from figures to the experiments that they count. Withdrawn subjects do not count. */
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
const keyOf = queries.printKey;
const daysOf = (week: string) => `${week}..${dayAfter(week, 6)}`;
const statesTerm = (labels: readonly string[]) => `state:${labels.map(valueOf).join(',')}`;

export interface InsightLinks {
  inStates: (labels: readonly string[]) => string;
  /** Those that have been in the state for the longest time come first. */
  oldestIn: (label: string) => string;
  /** In the week that begins on this day. */
  arrivedIn: (week: string) => string;
  finishedIn: (week: string) => string;
  /** Those that finished in this state. */
  finishedAs: (label: string, week: string) => string;
  /** Since the day. */
  leftSince: (label: string, day: string) => string;
  decidedSince: (label: string, day: string) => string;
  /** Runs that failed, or that were retried, by the key of their cause. */
  failedSince: (cause: string, day: string) => string;
  failedIn: (cause: string, week: string) => string;
  retriedSince: (cause: string, day: string) => string;
  withVariable: (name: string, value: string) => string;
}

export function insightLinks({ workflow, cohort, q }: Shown): InsightLinks {
  const names = queryOf({ workflow, ...(cohort === undefined ? {} : { cohort }) });
  const search = (...terms: string[]) =>
    new URLSearchParams({ q: [q, names, ...terms, 'withdrawn:no'].filter((part) => part !== '').join(' ') });
  const to = (...terms: string[]) => `${paths.experiments}?${search(...terms)}`;
  return {
    inStates: (labels) => to(statesTerm(labels)),
    oldestIn: (label) => `${to(statesTerm([label]))}&sort=-in-state`,
    arrivedIn: (week) => to(`arrived:${daysOf(week)}`),
    finishedIn: (week) => to(`finished:${daysOf(week)}`),
    finishedAs: (label, week) => to(`finished:${daysOf(week)}`, `entered.${keyOf(label)}:${daysOf(week)}`),
    leftSince: (label, day) => to(`left.${keyOf(label)}:${day}..`),
    decidedSince: (label, day) => to(`decided.${keyOf(label)}:${day}..`),
    failedSince: (cause, day) => to(`failed.${keyOf(cause)}:${day}..`),
    failedIn: (cause, week) => to(`failed.${keyOf(cause)}:${daysOf(week)}`),
    retriedSince: (cause, day) => to(`retried.${keyOf(cause)}:${day}..`),
    withVariable: (name, value) => to(`var.${keyOf(name)}:${valueOf(value)}`),
  };
}

/** Forecasts are about whole cohorts. */
export const cohortLinks = (workflow: string, cohort: string): InsightLinks =>
  insightLinks({ workflow, cohort, q: '' });
