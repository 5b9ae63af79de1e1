/**
 * A process that is asked to end leaves no request without an answer, and gives back what it runs. Where seconds are judged: no
 * request fails, and no run waits for longer than 10 s.
 */
import type { Checker, Evidence, AttemptRow } from './evidence.ts';

export const goodEnds: Checker = (evidence) =>
  judge(evidence, { isFailed: ({ status }) => status === 0, longestMs: Infinity });

/** A busy machine may answer 503 for reasons of its own, and one with time to spare does not. */
export const promptEnds: Checker = (evidence) => judge(evidence, { isFailed: () => true, longestMs: 10_000 });

interface Limits {
  /** Which of the tries without a known outcome count. */
  isFailed: (outcome: Evidence['outcomes'][number]) => boolean;
  longestMs: number;
}

function judge(evidence: Evidence, limits: Limits): string[] {
  if (!evidence.faults.some(({ what }) => what === 'end')) return [];
  const failed = evidence.outcomes.filter((one) => one.outcome === 'unknown' && limits.isFailed(one));
  return [
    ...failed.map(({ token, status }) => `${token} failed with ${status === 0 ? 'no answer' : status}.`),
    ...heldRuns(evidence, limits.longestMs).map(
      ({ execution_id, attempt }) => `Attempt ${attempt} of execution ${execution_id} was held by a worker that ended.`,
    ),
  ];
}

/** The runs of a worker at the moment at which it was asked to end. */
export function runsAtEnds({ faults, attempts }: Pick<Evidence, 'faults' | 'attempts'>) {
  const ends = faults.filter(({ kind, what, worker }) => kind === 'fault' && what === 'end' && worker !== undefined);
  return ends.flatMap(({ at, worker }) =>
    attempts
      .filter((run) => run.worker === worker && run.started_at <= at && (run.ended_at ?? Infinity) >= at)
      .map((run) => ({ at, run })),
  );
}

const heldRuns = (evidence: Evidence, longest: number): AttemptRow[] =>
  runsAtEnds(evidence)
    .filter(({ at, run }) => run.ended_at === null || run.ended_at > at + longest)
    .map(({ run }) => run);
