/** The sentences about the weeks of a workflow. The last week is not over, so averages leave it out. */
import { count, countOf } from '../../ui/numbers.ts';
import { sum, totals, type Flow, type StateSeries } from './flow-series.ts';

const last = (values: readonly number[]) => values.at(-1) ?? 0;

const finishedByWeek = ({ finished, weeks }: Flow) => totals(finished, weeks.length);
const inProgressByWeek = ({ inProgress, weeks }: Flow) => totals(inProgress, weeks.length);

/** `412 finished in 12 weeks, 38 this week. 92 are in progress.` */
export function aboutInsights(flow: Flow): string {
  const finished = finishedByWeek(flow);
  const now = last(inProgressByWeek(flow));
  const isYoung = last(finished) > 1 && last(finished) === sum(finished);
  const thisWeek = isYoung ? 'all' : count(last(finished));
  return `${count(sum(finished))} finished in ${countOf(flow.weeks.length, 'week')}, ${thisWeek} this week. ${areInProgress(now)}.`;
}

const areInProgress = (number: number) => `${count(number)} ${number === 1 ? 'is' : 'are'} in progress`;

/** `On average 39 arrive and 34 finish a week. 79 arrived this week so far.` */
export function aboutFinished(flow: Flow): string {
  const { arrived } = flow;
  const finished = finishedByWeek(flow);
  const first = arrived.findIndex((value, index) => value + (finished[index] ?? 0) > 0);
  if (first < 0) return 'Nothing arrived or finished in this period.';
  const [before, done] = [arrived.slice(first, -1), finished.slice(first, -1)];
  const now = `${count(last(arrived))} arrived and ${count(last(finished))} finished this week so far.`;
  if (before.length === 0) return now;
  return `On average ${averageText(before)} arrive and ${averageText(done)} finish a week. ${now}`;
}

/** `0.4`, `39`. */
function averageText(values: readonly number[]): string {
  const average = sum(values) / values.length;
  return average < 10 ? String(Number(average.toFixed(1))) : count(Math.round(average));
}

/** A change of fewer experiments is not worth a sentence. */
const minChange = 5;

/** `92 are in progress. De-identification grew from 6 to 33 this week.` */
export function aboutInProgress(flow: Flow, titleOf: (state: StateSeries['state']) => string): string {
  const now = last(inProgressByWeek(flow));
  const [largest] = flow.inProgress.toSorted((one, other) => changeOf(other) - changeOf(one));
  if (largest === undefined || flow.weeks.length < 2 || changeOf(largest) < minChange) return `${areInProgress(now)}.`;
  const [before = 0, after = 0] = largest.values.slice(-2);
  const verb = after > before ? 'grew' : 'fell';
  return `${areInProgress(now)}. ${titleOf(largest.state)} ${verb} from ${count(before)} to ${count(after)} this week.`;
}

const changeOf = ({ values }: StateSeries): number => Math.abs(last(values) - (values.at(-2) ?? 0));
