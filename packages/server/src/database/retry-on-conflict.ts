/**
 * A change that conflicts with a concurrent one writes nothing and is made again, for up to 2 s. Between two tries it holds no
 * database connection, so changes that wait for a locked workflow leave the connections to other requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../errors.ts';

const retryForMs = 2000;

/** Returns when it is worth trying again, at the latest at the deadline. */
type Wait = (tries: number, deadline: number) => Promise<void>;

/** A random pause keeps changes that conflicted once from conflicting again. */
const pauseUpTo =
  (longestMs: number): Wait =>
  async (tries) => {
    await sleep(Math.random() * Math.min(longestMs, 2 ** tries));
  };

const shortPause = pauseUpTo(50);
/** For locks that are held for a long time, so that many waiting changes do not keep the database busy. */
export const longPause = pauseUpTo(500);

/** Thrown instead of waiting with a connection. It must reach `retryOnConflict` after the transaction has been rolled back. */
export class Conflict extends Problem {
  readonly wait: Wait;

  constructor(detail: string, wait: Wait = shortPause) {
    super('busy', `${detail} Nothing was saved. Try again in 1 second.`, { retryAfterSeconds: 1 });
    this.wait = wait;
  }
}

export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + retryForMs;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      await error.wait(tries, deadline);
      if (performance.now() >= deadline) throw error;
    }
  }
}
