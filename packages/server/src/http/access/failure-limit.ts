/**
 * Slows down password guessing by limiting the failures in 15 minutes for each pair of address and account, because a whole
 * hospital may share one address. The caller passes the counts, which all servers share.
 */
import { Problem } from '../../errors.ts';

export interface FailureCounts {
  /** Counts one more failure. If there were too many before, returns the seconds until the next attempt is allowed. */
  add: (pair: string) => Promise<number | undefined>;
  removeAttempt: (pair: string) => Promise<void>;
  forget: (pair: string) => Promise<void>;
}

export interface FailureLimit {
  /**
   * Counts an attempt before its outcome is known, so that concurrent guesses count as well. Beyond the limit, it throws or
   * calls `instead`. An attempt that throws is not counted.
   */
  count: <T>(pair: string, attempt: () => Promise<T>, instead?: () => Promise<T>) => Promise<T>;
  /** Removes a successful attempt. Other failures from the same address stay counted. */
  removeAttempt: (pair: string) => Promise<void>;
  forget: (pair: string) => Promise<void>;
}

const tooManyFailures = (retryAfterSeconds: number) =>
  new Problem('too_many_failures', `Too many failed sign-ins. Try again in ${retryAfterSeconds} seconds.`, {
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
        // If this fails, the attempt stays counted. The opposite would allow unlimited guesses.
        await counts.removeAttempt(pair).catch(() => undefined);
        throw error;
      }
    },
    removeAttempt: counts.removeAttempt,
    forget: counts.forget,
  };
}
