/**
 * One reader per process follows the tail of the events for all who are connected to it, and only while somebody is. Each
 * follower has a position of its own: it is given what lies behind that, whichever page it comes in, so that none is lost
 * and none comes twice when followers join in the middle.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/connection.ts';
import { isBehind, readEvents, type EventPage, type Position, type StreamedEvent } from '../store/event-stream.ts';

/** Five looks a second, for all of them together: what happens is seen within a third of a second. */
const pauseMs = 200;
const pauseAfterErrorMs = 1000;
export const pageSize = 1000;

export interface Follower {
  /** Everything up to here has been given. */
  position: Position;
  give: (events: readonly StreamedEvent[]) => void;
}

export interface Tail {
  join: (follower: Follower) => void;
  leave: (follower: Follower) => void;
}

/** Gives a page to a follower that stands inside it or behind its beginning. Whoever stands before it would miss some. */
export function takePage(follower: Follower, { from, events, upTo }: EventPage): void {
  if (isBehind(follower.position, from)) return;
  const behind = follower.position;
  const fresh = events.filter((event) => isBehind(behind, event));
  if (isBehind(behind, upTo)) follower.position = upTo;
  if (fresh.length > 0) follower.give(fresh);
}

export function createTail(db: Db, onError: (error: unknown) => void): Tail {
  const followers = new Set<Follower>();
  let following = false;
  const look = async (): Promise<number> => {
    const page = await readEvents(db, earliest(followers), pageSize);
    for (const follower of followers) takePage(follower, page);
    return page.full ? 0 : pauseMs;
  };
  const follow = async () => {
    following = true;
    while (followers.size > 0) {
      const pause = await look().catch((error: unknown) => {
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
  [...followers].map(({ position }) => position).reduce((one, other) => (isBehind(other, one) ? other : one));
