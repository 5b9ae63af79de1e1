/**
 * A process that shuts down leaves no request without a response and returns its runs. If durations are checked, no request
 * fails, and runs are returned within 10 s.
 */
import type { Checker, Evidence, AttemptRow } from './evidence.ts';

export const gracefulShutdowns: Checker = (evidence) =>
  checkShutdowns(evidence, { isFailed: ({ status }) => status === 0, maxMs: Infinity });

/** Only for an otherwise idle machine, because a busy one may return 503 for other reasons. */
export const promptShutdowns: Checker = (evidence) => checkShutdowns(evidence, { isFailed: () => true, maxMs: 10_000 });

interface Limits {
  /** Whether an attempt with an unknown outcome counts as failed. */
  isFailed: (outcome: Evidence['outcomes'][number]) => boolean;
  maxMs: number;
}

function checkShutdowns(evidence: Evidence, limits: Limits): string[] {
  if (!evidence.faults.some(({ what }) => what === 'shutdown')) return [];
  const failed = evidence.outcomes.filter((one) => one.outcome === 'unknown' && limits.isFailed(one));
  return [
    ...failed.map(({ token, status }) => `${token} failed with ${status === 0 ? 'no response' : status}.`),
    ...heldRuns(evidence, limits.maxMs).map(
      ({ execution_id, attempt }) =>
        `Attempt ${attempt} of execution ${execution_id} was not returned by a worker that shut down.`,
    ),
  ];
}

/** The runs of workers at the start of their shutdown. */
export function runsAtShutdowns({ faults, attempts }: Pick<Evidence, 'faults' | 'attempts'>) {
  const shutdowns = faults.filter(
    ({ kind, what, worker }) => kind === 'fault' && what === 'shutdown' && worker !== undefined,
  );
  return shutdowns.flatMap(({ at, worker }) =>
    attempts
      .filter((run) => run.worker === worker && run.started_at <= at && (run.ended_at ?? Infinity) >= at)
      .map((run) => ({ at, run })),
  );
}

const heldRuns = (evidence: Evidence, maxMs: number): AttemptRow[] =>
  runsAtShutdowns(evidence)
    .filter(({ at, run }) => run.ended_at === null || run.ended_at > at + maxMs)
    .map(({ run }) => run);
