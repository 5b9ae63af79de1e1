/**
 * Recovers lost work: runs whose worker stopped sending heartbeats, and executions whose job is missing because it was deleted,
 * expired or not restored. Every worker does this, and repeating it is harmless.
 */
import {
  enqueueJobs,
  listLost,
  listStranded,
  listUnclaimed,
  type LostExecution,
  type SweepPosition,
} from '../../store/runs/sweeps.ts';
import { isResolved } from '../experiments/change-state.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { changeExecution } from './resolve-execution.ts';
import { retryLost } from './retry-or-fail.ts';
import { sweepExecutions } from './sweep-executions.ts';

const maxStranded = 1000;
const maxUnclaimed = 10_000;

/** Ends the attempts of lost workers so that other workers can run them. Returns how many were lost. */
export async function reconcileLeases(context: EngineContext, signal?: AbortSignal): Promise<number> {
  let lost = 0;
  const handle = async (found: LostExecution) => {
    const ended = await endLostAttempt(context, found);
    if (ended) lost++;
    return ended;
  };
  await sweepExecutions(context, { list: (locked, limit) => listLost(context.db, locked, limit), handle, signal });
  return lost;
}

/** The worker may have renewed the lease since the attempt was found. */
const endLostAttempt = (context: EngineContext, { id, heartbeat_at: last }: LostExecution): Promise<boolean> =>
  withExecution(context, id, async (snapshot) => {
    if (snapshot.execution.heartbeat_at !== last) return false;
    const written = await changeExecution(context, snapshot, lostChange(snapshot));
    return written && true;
  });

function lostChange(snapshot: ExecutionSnapshot) {
  const reason = 'The worker stopped sending heartbeats.';
  const { id, status, result } = snapshot.execution;
  if (isResolved(snapshot.execution) || status === 'waiting') {
    return { id, status, result, attemptEnds: { error: reason, log: '', failed: false } };
  }
  return retryLost(snapshot, reason, Math.random);
}

const start: SweepPosition = { created: '-infinity', id: 0 };

/** Inserts missing jobs. Each round checks the next part of a large backlog. */
export function createUnclaimedSweep() {
  let position = start;
  return async (context: EngineContext): Promise<void> => {
    const unclaimed = await listUnclaimed(context.db, position, maxUnclaimed);
    const last = unclaimed.at(-1);
    position = last && unclaimed.length === maxUnclaimed ? { created: last.created, id: last.id } : start;
    const stranded = await listStranded(context.db, maxStranded);
    await enqueueJobs(context.db, [...unclaimed.filter(({ has_job }) => !has_job).map(({ id }) => id), ...stranded]);
  };
}
