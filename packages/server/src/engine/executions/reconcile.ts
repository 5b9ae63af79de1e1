/**
 * Finds what was lost and gives it back (rules 3, 14 and 16, "A job only starts an attempt"): runs whose worker fell silent,
 * executions whose job is gone (deleted by hand, by retention, by a restore); and tells of those that nobody starts. Every worker does this; doing it twice changes nothing.
 */
import { giveJobs, listLost, listStranded, listUnclaimed, openUnclaimed, type SweepPlace } from '../../store/sweeps.ts';
import { isResolved } from '../change-state.ts';
import { settleExecution, type Moving } from '../settle.ts';
import { tryAgain } from './end-run.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';
import { sweepExecutions } from './sweep.ts';

const mostStranded = 1000;
const mostUnclaimed = 10_000;

/** Every few seconds: what a lost worker ran goes to another. Answers how many were lost. */
export async function reconcileLeases(moving: Moving, signal?: AbortSignal): Promise<number> {
  let lost = 0;
  const settle = async (id: number) => {
    const given = await giveUpAttempt(moving, id);
    if (given) lost++;
    return given;
  };
  await sweepExecutions({ list: (held, most) => listLost(moving.db, held, most), settle, signal });
  return lost;
}

const giveUpAttempt = (moving: Moving, executionId: number): Promise<boolean> =>
  settleExecution(moving, executionId, async (seen) => {
    if (!seen.execution.lease_over) return false;
    const written = await changeExecution(moving, seen, lostChange(seen));
    return written && true;
  });

function lostChange(seen: SeenExecution) {
  const reason = 'The worker that ran it was not heard of any more.';
  const { id, status, result } = seen.execution;
  if (isResolved(seen.execution) || status === 'waiting') {
    return { id, status, result, attemptEnds: { error: reason, log: '', failed: false } };
  }
  return tryAgain(seen, reason, '', Math.random);
}

const start: SweepPlace = { created: '-infinity', id: 0 };

/**
 * Every half minute: jobs for those that have none, and a word about those that nobody takes. Of a large backlog each
 * round looks at the next part.
 */
export function createUnclaimedSweep() {
  let place = start;
  return async (moving: Moving): Promise<void> => {
    const unclaimed = await listUnclaimed(moving.db, place, mostUnclaimed);
    const last = unclaimed.at(-1);
    place = last && unclaimed.length === mostUnclaimed ? { created: last.created, id: last.id } : start;
    const stranded = await listStranded(moving.db, mostStranded);
    await giveJobs(moving.db, [...unclaimed.filter(({ has_job }) => !has_job).map(({ id }) => id), ...stranded]);
    await openUnclaimed(
      moving.db,
      unclaimed.filter(({ needs_attention }) => needs_attention).map(({ id }) => id),
    );
  };
}
