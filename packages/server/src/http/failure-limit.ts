/** Slows guessing: 10 failures in 15 minutes for one address and account together, as a hospital sits behind one address. */
import { Problem } from '../errors.ts';

const mostFailures = 10;
const windowMs = 15 * 60_000;
const mostPairs = 100_000;

interface Failures {
  count: number;
  since: number;
}

export function failureLimit(now: () => number) {
  const failures = new Map<string, Failures>();
  const current = (pair: string) => {
    const found = failures.get(pair);
    return found && found.since + windowMs > now() ? found : undefined;
  };
  const add = (pair: string, found: Failures | undefined): void => {
    if (found) {
      found.count += 1;
      return;
    }
    for (const oldest of failures.keys()) {
      if (failures.size < mostPairs) break;
      failures.delete(oldest);
    }
    failures.delete(pair);
    failures.set(pair, { count: 1, since: now() });
  };
  const refuse = (pair: string): void => {
    const found = current(pair);
    if (!found || found.count < mostFailures) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((found.since + windowMs - now()) / 1000));
    throw new Problem(
      'too_many_failures',
      `${mostFailures} sign-ins failed. Wait ${retryAfterSeconds} s, then try again.`,
      {
        retryAfterSeconds,
      },
    );
  };
  return {
    /**
     * Counts a try before its outcome is known, so that guesses sent at the same moment count as well, and refuses it
     * when there were too many. A try that could not be made at all is taken back.
     */
    async count<T>(pair: string, attempt: () => Promise<T>): Promise<T> {
      refuse(pair);
      add(pair, current(pair));
      try {
        return await attempt();
      } catch (error) {
        const found = current(pair);
        if (found) found.count -= 1;
        throw error;
      }
    },
    forget: (pair: string) => failures.delete(pair),
  };
}
