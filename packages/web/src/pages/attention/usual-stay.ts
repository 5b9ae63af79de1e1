/** How long experiments usually stay in a state, which says whether a wait is long. */
import type { BodyOf } from '../../api/operation-query.ts';
import type { AttentionRow } from './attention-rows.ts';

/** Each needs a request. */
const mostWorkflows = 3;

/** The first workflows of the rows. A queue is about many states. */
export const workflowsIn = (rows: readonly Pick<AttentionRow, 'queue' | 'workflow'>[]): number[] =>
  [...new Set(rows.flatMap(({ queue, workflow }) => (queue === null ? [workflow.id] : [])))].slice(0, mostWorkflows);

type StayRow = Pick<BodyOf<'listInsightStays'>['stays'][number], 'state' | 'median_seconds'>;

/** The median stay of each state in seconds, without states that no experiment has left. */
export const mediansOf = (stays: readonly StayRow[]): ReadonlyMap<number, number> =>
  new Map(stays.flatMap(({ state, median_seconds: median }) => (median === null ? [] : [[state.id, median] as const])));

/** Undefined beside a due time, which says more, and for a row about many experiments. */
export function usualStay(
  { state, due_at: due, queue, group }: Pick<AttentionRow, 'state' | 'due_at' | 'queue' | 'group'>,
  medians: ReadonlyMap<number, number>,
): number | undefined {
  return due === null && queue === null && !group ? medians.get(state.id) : undefined;
}
