/** Does something again and again until it is told to stop. What goes wrong is told, and the next round comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@milepost/api';

export type Tell = (sentence: string) => void;

export interface Going {
  stop: () => Promise<void>;
}

export function rounds(everyMs: () => number, round: (signal: AbortSignal) => Promise<unknown>, tell: Tell): Going {
  const stopping = new AbortController();
  const { signal } = stopping;
  const go = async () => {
    while (!signal.aborted) {
      await round(signal).catch((error: unknown) => signal.aborted || isRefusal(error) || tell(wordsOf(error)));
      await sleep(everyMs(), undefined, { signal }).catch(() => undefined);
    }
  };
  const all = go();
  return {
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}

/** Somebody was faster: the user of the demo may do what the demo is about to do. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 409 || error.status === 404);

const wordsOf = (error: unknown): string =>
  `The demo met an error and goes on: ${error instanceof Error ? error.message : String(error)}`;
