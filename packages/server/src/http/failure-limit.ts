/**
 * Slows guessing: so many failures in 15 minutes for one address and account together, as a hospital sits behind one address.
 * Where failures are counted, so that all servers know of each, is handed in.
 */
import { Problem } from '../errors.ts';

export interface FailureCounts {
  /** Counts one more. Undefined, or, where there were too many before, in how many seconds it is worth trying again. */
  add: (pair: string) => Promise<number | undefined>;
  takeBack: (pair: string) => Promise<void>;
  forget: (pair: string) => Promise<void>;
}

export interface FailureLimit {
  /**
   * Counts a try before its outcome is known, so that guesses sent at the same moment count as well. When there were too many,
   * it is refused, or something else is done instead. A try that could not be made at all is taken back.
   */
  count: <T>(pair: string, attempt: () => Promise<T>, instead?: () => Promise<T>) => Promise<T>;
  /** One that did not fail. What others behind the same address tried stays counted. */
  takeBack: (pair: string) => Promise<void>;
  forget: (pair: string) => Promise<void>;
}

const tooManyFailures = (retryAfterSeconds: number) =>
  new Problem('too_many_failures', `Too many sign-ins failed. Wait ${retryAfterSeconds} s, then try again.`, {
    retryAfterSeconds,
  });

export function failureLimit(
  counts: FailureCounts,
  refusal: (retryAfterSeconds: number) => Error = tooManyFailures,
): FailureLimit {
  return {
    async count(pair, attempt, instead) {
      const retryAfterSeconds = await counts.add(pair);
      if (retryAfterSeconds !== undefined) {
        if (instead) return instead();
        throw refusal(retryAfterSeconds);
      }
      try {
        return await attempt();
      } catch (error) {
        // If it cannot be taken back it counts: the other way round would be open to guessing.
        await counts.takeBack(pair).catch(() => undefined);
        throw error;
      }
    },
    takeBack: counts.takeBack,
    forget: counts.forget,
  };
}
