import { ProblemError } from '@milepost/api';

/** A session that was over by itself meanwhile is no longer there to be ended. */
const isOver = (error: unknown) => error instanceof ProblemError && error.status === 404;

/** What could not be ended keeps nothing else from being ended. */
export async function endAll(
  ids: readonly number[],
  end: (id: number) => Promise<unknown>,
): Promise<{ ended: ReadonlySet<number>; errors: unknown[] }> {
  const answers = await Promise.allSettled(ids.map(end));
  const errors = answers.map((answer) =>
    answer.status === 'rejected' && !isOver(answer.reason) ? { error: answer.reason as unknown } : undefined,
  );
  return {
    ended: new Set(ids.filter((_, place) => errors[place] === undefined)),
    errors: errors.flatMap((one) => (one ? [one.error] : [])),
  };
}
