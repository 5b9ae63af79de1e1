import { ProblemError } from '@milepost/api';

/** The session expired or was ended in the meantime. */
const hasEnded = (error: unknown) => error instanceof ProblemError && error.status === 404;

/** Ends as many sessions as possible: an error for one does not stop the others. */
export async function endSessions(
  ids: readonly number[],
  end: (id: number) => Promise<unknown>,
): Promise<{ ended: ReadonlySet<number>; errors: unknown[] }> {
  const results = await Promise.allSettled(ids.map(end));
  const errors = results.map((result) =>
    result.status === 'rejected' && !hasEnded(result.reason) ? { error: result.reason as unknown } : undefined,
  );
  return {
    ended: new Set(ids.filter((_, index) => errors[index] === undefined)),
    errors: errors.flatMap((one) => (one ? [one.error] : [])),
  };
}
