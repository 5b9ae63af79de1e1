/** Repeats work with a pause between the end of one round and the start of the next. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RepeatedWork {
  /** Resolves when the current round has ended. */
  stop: () => Promise<void>;
}

/** The signal aborts when the round should end. */
export type Round = (signal: AbortSignal) => Promise<unknown>;

export const maxJitter = 1.1;
/** So that many workers do not all run at the same moment. */
const jitter = () => maxJitter - 0.2 * Math.random();

/** `retryMs` is the pause after a failure, if it is shorter. */
export function repeat(
  everyMs: number,
  work: Round,
  onError: (error: unknown) => void,
  retryMs = everyMs,
): RepeatedWork {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async () => {
    while (!signal.aborted) {
      const pauseMs = await work(signal).then(
        () => everyMs,
        (error: unknown) => {
          onError(error);
          return retryMs;
        },
      );
      await sleep(pauseMs * jitter(), undefined, { signal }).catch(() => undefined);
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
