/** The past day whose counts the graph shows. Days are in UTC. */
import type { BodyOf } from '../../api/operation-query.ts';
import { dayAfter, daysBetween } from '../insights/week-text.ts';
import type { StateCounts } from './use-workflow.ts';

const maxDaysBack = 365;

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(daysBetween(text, text)) && dayAfter(text, 0) === text;

/** The day of the URL. Undefined for today, later days and invalid ones, which show the present counts. */
export const pastDay = (text: string | undefined, today: string): string | undefined =>
  text !== undefined && isDay(text) && text < today ? text : undefined;

type FlowRow = Pick<BodyOf<'listInsightFlow'>['flow'][number], 'week' | 'entered' | 'experiments'>;

/** The day before the first week with experiments, at most a year ago. Undefined without such a week. */
export function firstDay(flow: readonly FlowRow[], today: string): string | undefined {
  const first = flow.find(({ entered, experiments }) => entered > 0 || experiments > 0);
  const earliest = earliestDay(today);
  if (first === undefined) return undefined;
  const before = dayAfter(first.week, -1);
  return before < earliest ? earliest : before;
}

export const earliestDay = (today: string): string => dayAfter(today, -maxDaysBack);

/** Whether a user can choose the day, which is also false for dates that are not complete. */
export const isBetween = (day: string, first: string, last: string): boolean =>
  isDay(day) && day >= first && day <= last;

type PastCounts = Pick<BodyOf<'getPastWorkflowCounts'>, 'states'>;

/** Only experiments are counted for past days. */
const others = {
  attention: 0,
  blocked: 0,
  decide: 0,
  decide_overdue: 0,
  failed: 0,
  retrying: 0,
  running: 0,
  timed_out: 0,
  undecided: 0,
  waiting: 0,
  waiting_overdue: 0,
};

export const pastStateCounts = ({ states }: PastCounts): StateCounts[] =>
  states.map((counts) => ({ ...others, ...counts }));

/** The experiments in states that the workflow no longer has. */
export const elsewhere = ({ states }: PastCounts, drawn: readonly { id: number }[]): number => {
  const ids = new Set(drawn.map(({ id }) => id));
  return states.reduce((sum, { state, experiments }) => (ids.has(state.id) ? sum : sum + experiments), 0);
};
