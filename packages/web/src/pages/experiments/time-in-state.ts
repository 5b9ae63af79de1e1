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

type Entered = Timed & Pick<TimelineAction, 'id' | 'to'>;

export interface Stay {
  id: number;
  state: TimelineAction['to'];
  from: string;
  seconds: number;
  /** The experiment is still in the state. */
  isCurrent: boolean;
}

export interface Stays {
  /** The oldest first. */
  stays: Stay[];
  /** Whether the first one is the creation of the experiment. */
  isComplete: boolean;
}

/**
 * The time in each state, from the newest action back to the first one that is not loaded. `actions` are the newest first, and
 * can have gaps while older ones are loading.
 */
export function staysOf(actions: readonly Entered[], now: Date): Stays {
  const gap = actions.findIndex(
    ({ sequence }, index) => index > 0 && sequence !== (actions[index - 1]?.sequence ?? 0) - 1,
  );
  const known = (gap === -1 ? actions : actions.slice(0, gap)).toReversed();
  const entries = known.filter(({ kind }) => kind !== 'retry');
  const stays = entries.map(({ id, to, start_time: from }, index) => {
    const left = entries[index + 1]?.start_time;
    const until = left === undefined ? now.getTime() : Date.parse(left);
    return {
      id,
      state: to,
      from,
      seconds: Math.max(0, (until - Date.parse(from)) / 1000),
      isCurrent: left === undefined,
    };
  });
  return { stays, isComplete: known[0]?.sequence === 1 };
}
