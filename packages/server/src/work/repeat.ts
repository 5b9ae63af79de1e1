/** Repeats work with a pause between the end of one round and the start of the next. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatedWork {
  /** Resolves when the current round has ended. */
  stop: () => Promise<void>;
}

/** The signal aborts when the round should end. */
export type Round = (signal: AbortSignal) => Promise<unknown>;

export function repeat(everyMs: number, work: Round, onError: (error: unknown) => void): RepeatedWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async () => {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      // Jitter, so that many workers do not all run at the same moment.
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
