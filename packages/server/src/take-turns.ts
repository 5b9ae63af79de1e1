/** Costly work takes turns: some at once, more in line, and whoever comes beyond that is refused at once. */
import { Problem } from './errors.ts';

export interface Turns {
  atOnce: number;
  waiting: number;
  /** What whoever finds all places taken is told. */
  refusal: string;
}

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function takeTurns({ atOnce, waiting: mostWaiting, refusal }: Turns): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Problem('busy', refusal, { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on, not given back, so that nobody who comes meanwhile overtakes.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
