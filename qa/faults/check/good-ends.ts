/** Who is asked to end, and ends, is missed by nobody: no request fails, and no run waits for longer than 10 s. */
import type { Checker, Evidence, AttemptRow } from './evidence.ts';

const longestMs = 10_000;

export const goodEnds: Checker = (evidence) => {
  if (!evidence.faults.some(({ what }) => what === 'end')) return [];
  const failed = evidence.outcomes.filter(({ outcome }) => outcome === 'unknown');
  return [
    ...failed.map(({ token, status }) => `${token} failed with ${status === 0 ? 'no answer' : status}.`),
    ...heldRuns(evidence).map(
      ({ execution_id, attempt }) => `Attempt ${attempt} of execution ${execution_id} was held by a worker that ended.`,
    ),
  ];
};

/** The runs of a worker at the moment at which it was asked to end. */
export function runsAtEnds({ faults, attempts }: Pick<Evidence, 'faults' | 'attempts'>) {
  const ends = faults.filter(({ kind, what, worker }) => kind === 'fault' && what === 'end' && worker !== undefined);
  return ends.flatMap(({ at, worker }) =>
    attempts
      .filter((run) => run.worker === worker && run.started_at <= at && (run.ended_at ?? Infinity) >= at)
      .map((run) => ({ at, run })),
  );
}

const heldRuns = (evidence: Evidence): AttemptRow[] =>
  runsAtEnds(evidence)
    .filter(({ at, run }) => run.ended_at === null || run.ended_at > at + longestMs)
    .map(({ run }) => run);
