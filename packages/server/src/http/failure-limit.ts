/** Slows guessing: 10 failures in 15 minutes for one address and account together, as a hospital sits behind one address. */
import { Problem } from '../errors.ts';

const mostFailures = 10;
const windowMs = 15 * 60_000;
const mostPairs = 100_000;

export function failureLimit(now: () => number) {
  const failures = new Map<string, { count: number; since: number }>();
  const current = (pair: string) => {
    const found = failures.get(pair);
    return found && found.since + windowMs > now() ? found : undefined;
  };
  return {
    check(pair: string) {
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
    },
    fail(pair: string) {
      const found = current(pair);
      if (found) found.count += 1;
      else {
        for (const oldest of failures.keys()) {
          if (failures.size < mostPairs) break;
          failures.delete(oldest);
        }
        failures.delete(pair);
        failures.set(pair, { count: 1, since: now() });
      }
    },
    forget: (pair: string) => failures.delete(pair),
  };
}
