/** Repeats a task until it is stopped. An error is logged, and the task continues. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@milepost/api';

export type Log = (message: string) => void;

export interface Stoppable {
  stop: () => Promise<void>;
}

export function repeat(pauseMs: () => number, task: (signal: AbortSignal) => Promise<unknown>, log: Log): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await task(signal).catch((error: unknown) => signal.aborted || isConflict(error) || log(messageOf(error)));
      await sleep(pauseMs(), undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Whether a user of the demo has already changed what the demo wanted to change. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 409 || error.status === 404);

const messageOf = (error: unknown): string =>
  `The demo continues after an error: ${error instanceof Error ? error.message : String(error)}`;
