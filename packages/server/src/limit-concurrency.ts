/** Limits concurrent expensive work: some runs, some waits in a queue, and the rest is rejected immediately. */
import { Problem } from './errors.ts';

export interface ConcurrencyLimit {
  atOnce: number;
  waiting: number;
  /** The problem detail if the queue is full. */
  refusal: string;
}

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function limitConcurrency({ atOnce, waiting: maxWaiting, refusal }: ConcurrencyLimit): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new Problem('busy', refusal, { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The slot goes to the next in the queue directly, so that new work cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
