/** Does something again and again, one at a time, with a pause between the end of one and the start of the next. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Repeating {
  /** Answers when the round that goes on has ended. */
  stop: () => Promise<void>;
}

/** The signal says when a round should come to its end. */
export type Round = (signal: AbortSignal) => Promise<unknown>;

export function repeat(everyMs: number, work: Round, onError: (error: unknown) => void): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async () => {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      // A little more or less, so that many workers do not all look at the same moment.
      await sleep(everyMs * (0.9 + 0.2 * Math.random()), undefined, { signal }).catch(() => undefined);
    }
  };
  const all = rounds();
  return {
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}
