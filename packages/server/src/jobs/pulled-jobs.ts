/**
 * Jobs for workers that pull over HTTP. The queue is opened when the first of them comes: most servers never see one. Who
 * finds nothing may wait; a notification wakes them, and a look each second where it was lost.
 */
import type pg from 'pg';
import { openQueue, type Queue } from './open-queue.ts';
import { listenForJobs, type Listening } from './wake.ts';

export interface PulledJobs {
  /** Up to so many, from the first queues that have some, in the order given. */
  take: (queues: readonly string[], most: number) => Promise<number[]>;
  /** Until one of the queues may have something, the time is over, or nobody waits any more. */
  wait: (queues: readonly string[], ms: number, gone: AbortSignal) => Promise<void>;
  stop: () => Promise<void>;
}

const lookEveryMs = 1000;

export function createPulledJobs(pool: pg.Pool, databaseUrl: string, onError: (error: unknown) => void): PulledJobs {
  let opening: Promise<Queue> | undefined;
  let listening: Listening | undefined;
  const waiting = new Set<(queue: string | undefined) => void>();
  const open = () => {
    opening ??= openQueue(pool, { supervise: false, onError }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async take(queues, most) {
      const queue = await open();
      const taken: number[] = [];
      const known = new Set(await queue.known(queues));
      for (const name of queues) {
        if (known.has(name) && taken.length < most) taken.push(...(await queue.take(name, most - taken.length)));
      }
      return taken;
    },
    async wait(queues, ms, gone) {
      if (gone.aborted) return;
      listening ??= listenForJobs(databaseUrl, (name) => waiting.forEach((tell) => tell(name)), onError);
      const { promise, resolve } = Promise.withResolvers<void>();
      const tell = (name: string | undefined) => (name === undefined || queues.includes(name)) && resolve();
      const timer = setTimeout(resolve, Math.min(ms, lookEveryMs));
      const leave = () => resolve();
      waiting.add(tell);
      gone.addEventListener('abort', leave);
      await promise;
      gone.removeEventListener('abort', leave);
      clearTimeout(timer);
      waiting.delete(tell);
    },
    async stop() {
      await listening?.stop();
      await (await opening)?.stop();
    },
  };
}
