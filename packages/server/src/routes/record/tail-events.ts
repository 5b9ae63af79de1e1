/**
 * One reader per process polls for new events while there are followers. Each follower has its own position and gets only the
 * events after it, so that it gets each event exactly once, whenever it joins.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../database/connection.ts';
import {
  isBefore,
  readEvents,
  type EventPage,
  type Position,
  type StreamedEvent,
} from '../../store/record/read-events.ts';

/** Short enough to deliver events within a third of a second. */
const pollIntervalMs = 200;
const pauseAfterErrorMs = 1000;
export const pageSize = 1000;

export interface Follower {
  /** The last event that was delivered. */
  position: Position;
  give: (events: readonly StreamedEvent[]) => void;
}

export interface Tail {
  join: (follower: Follower) => void;
  leave: (follower: Follower) => void;
}

/** Delivers the new events of a page. Skips a follower whose position is before the page, because it would miss events. */
export function deliverPage(follower: Follower, { from, events, upTo }: EventPage): void {
  if (isBefore(follower.position, from)) return;
  const { position } = follower;
  const fresh = events.filter((event) => isBefore(position, event));
  if (isBefore(position, upTo)) follower.position = upTo;
  if (fresh.length > 0) follower.give(fresh);
}

export function createTail(db: Db, onError: (error: unknown) => void): Tail {
  const followers = new Set<Follower>();
  let following = false;
  const poll = async (): Promise<number> => {
    const page = await readEvents(db, earliest(followers), pageSize);
    for (const follower of followers) deliverPage(follower, page);
    return page.full ? 0 : pollIntervalMs;
  };
  const follow = async () => {
    following = true;
    while (followers.size > 0) {
      const pause = await poll().catch((error: unknown) => {
        onError(error);
        return pauseAfterErrorMs;
      });
      await sleep(pause, undefined, { ref: false });
    }
    following = false;
  };
  return {
    join: (follower) => {
      followers.add(follower);
      if (!following) void follow();
    },
    leave: (follower) => void followers.delete(follower),
  };
}

const earliest = (followers: ReadonlySet<Follower>): Position =>
  [...followers].map(({ position }) => position).reduce((one, other) => (isBefore(other, one) ? other : one));
