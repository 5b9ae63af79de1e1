/**
 * Jobs for pulling workers. A worker that finds no job can wait: a notification wakes it, and a check every second covers lost
 * notifications.
 */
import type { Db } from '../database/connection.ts';
import { createFairQueue, type TakingStatement } from './fair-queue.ts';
import { listenForJobs, type JobListener } from './wake.ts';

export interface PulledJobs {
  /** Takes up to `most` jobs from the queues, in the given order. The statement keeps them. */
  takeWith: (statement: TakingStatement, queues: readonly string[], most: number) => Promise<void>;
  /** Waits until a queue may have a job, the time has passed or the signal aborts. Can return early. */
  wait: (queues: readonly string[], ms: number, signal: AbortSignal) => Promise<void>;
  stop: () => Promise<void>;
}

const pollMs = 1000;

export function createPulledJobs(db: Db, databaseUrl: string, onError: (error: unknown) => void): PulledJobs {
  const fairQueue = createFairQueue(db);
  let listening: JobListener | undefined;
  const waiting = new Set<(queue: string | undefined) => void>();
  return {
    async takeWith(statement, queues, most) {
      let taken = 0;
      for (const name of queues) {
        if (taken < most) taken += await fairQueue.takeWith(statement, name, most - taken);
      }
    },
    async wait(queues, ms, signal) {
      if (signal.aborted) return;
      listening ??= listenForJobs(databaseUrl, (name) => waiting.forEach((notify) => notify(name)), onError);
      const { promise, resolve } = Promise.withResolvers<void>();
      const notify = (name: string | undefined) => (name === undefined || queues.includes(name)) && resolve();
      const timer = setTimeout(resolve, Math.min(ms, pollMs));
      const abort = () => resolve();
      waiting.add(notify);
      signal.addEventListener('abort', abort);
      await promise;
      signal.removeEventListener('abort', abort);
      clearTimeout(timer);
      waiting.delete(notify);
    },
    async stop() {
      await listening?.stop();
    },
  };
}
