import type { TimelineAction } from '../../status/execution-text.ts';

type Timed = Pick<TimelineAction, 'sequence' | 'kind' | 'start_time'>;

/** When the experiment left the state that the action entered, or undefined if it is still there. A retry does not leave the state. */
export function leftAt(actions: readonly Timed[], { sequence }: Timed): string | undefined {
  const later = actions.filter((action) => action.sequence > sequence && action.kind !== 'retry');
  return later.toSorted((a, b) => a.sequence - b.sequence)[0]?.start_time;
}

/** A correction that ran no callbacks. */
export const isPlaced = ({ kind, executions }: Pick<TimelineAction, 'kind' | 'executions'>): boolean =>
  kind === 'correction' && executions.every(({ status }) => status === 'skipped');
