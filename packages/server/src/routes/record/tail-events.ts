/**
 * Delivers events to all clients of this process. One reader polls for the clients that keep up. A client that falls behind
 * leaves it, reads stored events at its own pace, and joins again when it has caught up, so it delays no other client and is not
 * disconnected. Each follower has its own position and gets only the events after it, so that it gets each event exactly once.
 *
 * All reads use the connections for long lists. Followers that are behind use at most half of them, so that lists get theirs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../database/connection.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';
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
const pageSize = 500;

export interface Follower {
  /** The last event that was delivered. */
  position: Position;
  /** Returns how many of the events it took. A follower without room takes none. */
  give: (events: readonly StreamedEvent[]) => number;
  hasRoom: () => boolean;
  /** Resolves when it has room or is closed. */
  room: () => Promise<void>;
  isClosed: () => boolean;
}

export interface Tail {
  /** Delivers events until the follower is closed. */
  follow: (follower: Follower) => Promise<void>;
  /** Wakes a follower that was closed. */
  leave: (follower: Follower) => void;
  /** The number of followers that are behind. */
  behind: () => number;
}

export interface TailOptions {
  db: Db;
  /** The number of connections that followers share with long lists. */
  connections: number;
  onError: (error: unknown) => void;
}

/** Delivers the new events of a page. Skips a follower whose position is before the page, because it would miss events. */
function deliverPage(follower: Follower, { from, events, upTo }: EventPage): void {
  const { position } = follower;
  if (isBefore(position, from)) return;
  const fresh = events.filter((event) => isBefore(position, event));
  const taken = fresh.length === 0 ? 0 : follower.give(fresh);
  if (taken < fresh.length) follower.position = fresh[taken - 1] ?? position;
  else if (isBefore(position, upTo)) follower.position = upTo;
}

export function createTail(options: TailOptions): Tail {
  const shared = createSharedReader(options);
  const catchUp = createCatchUp(options);
  let behind = 0;
  return {
    behind: () => behind,
    leave: shared.leave,
    async follow(follower) {
      while (!follower.isClosed()) {
        behind += 1;
        await catchUp(follower).finally(() => (behind -= 1));
        if (!follower.isClosed()) await shared.join(follower);
      }
    },
  };
}

/** Reads stored events for one follower, until it has received all of them. */
function createCatchUp({ db, connections, onError }: TailOptions): (follower: Follower) => Promise<void> {
  const atOnce = Math.max(1, Math.floor(connections / 2));
  const limited = limitConcurrency({ atOnce, waiting: Infinity, refusal: '' });
  const readPage = (follower: Follower) =>
    limited(async () => (follower.isClosed() ? undefined : readEvents(db, follower.position, pageSize))).catch(
      async (error: unknown) => {
        onError(error);
        await sleep(pauseAfterErrorMs, undefined, { ref: false });
      },
    );
  return async (follower) => {
    for (let more = true; more && !follower.isClosed();) {
      await follower.room();
      const page = await readPage(follower);
      if (!page) continue;
      deliverPage(follower, page);
      more = page.full || isBefore(follower.position, page.upTo);
    }
  };
}

/** Reads new events once for all followers that keep up. */
function createSharedReader({ db, onError }: TailOptions) {
  /** Each follower with the function that tells it that it has left. */
  const followers = new Map<Follower, () => void>();
  let reading = false;
  const leave = (follower: Follower) => {
    const left = followers.get(follower);
    followers.delete(follower);
    left?.();
  };
  const poll = async () => {
    const page = await readEvents(db, earliest(followers.keys()), pageSize);
    for (const follower of followers.keys()) deliverPage(follower, page);
    const pause = sleep(pollIntervalMs, undefined, { ref: false });
    await (page.full ? Promise.race([pause, allHaveRoom(followers.keys())]) : pause);
    for (const follower of followers.keys()) if (!follower.hasRoom()) leave(follower);
  };
  const read = async () => {
    reading = true;
    while (followers.size > 0) {
      await poll().catch(async (error: unknown) => {
        onError(error);
        await sleep(pauseAfterErrorMs, undefined, { ref: false });
      });
    }
    reading = false;
  };
  const join = (follower: Follower) =>
    new Promise<void>((resolve) => {
      followers.set(follower, resolve);
      if (!reading) void read();
    });
  return { join, leave };
}

const allHaveRoom = (followers: Iterable<Follower>) => Promise.all([...followers].map((follower) => follower.room()));

const earliest = (followers: Iterable<Follower>): Position =>
  [...followers].map(({ position }) => position).reduce((one, other) => (isBefore(other, one) ? other : one));
