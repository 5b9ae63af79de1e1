/**
 * Ends executions whose time is over (rule 7): a run that took longer than its run_timeout, a wait longer than its
 * wait_timeout. Any number of callers may check at once; each execution is ended and counted by one of them.
 */
import { listOverdue } from '../../store/sweeps.ts';
import { settleExecution, type Moving } from '../settle.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';
import { sweepExecutions } from './sweep.ts';

export interface TimeoutCounts {
  run_timeouts: number;
  wait_timeouts: number;
}

export async function checkTimeouts(moving: Moving, signal?: AbortSignal): Promise<TimeoutCounts> {
  const counts = { run_timeouts: 0, wait_timeouts: 0 };
  const settle = async (id: number) => {
    const ended = await timeOut(moving, id);
    if (ended === 'running') counts.run_timeouts++;
    if (ended === 'waiting') counts.wait_timeouts++;
    return ended !== 'elsewhere';
  };
  await sweepExecutions({ list: (held, most) => listOverdue(moving.db, held, most), settle, signal });
  return counts;
}

/** Answers what it was doing; `elsewhere` where somebody else has ended it or given it more time. */
const timeOut = (moving: Moving, executionId: number): Promise<string> =>
  settleExecution(moving, executionId, async (seen) => {
    const { status, overdue } = seen.execution;
    if (!overdue) return 'elsewhere';
    const written = await changeExecution(moving, seen, timedOut(seen));
    return written && status;
  });

const minutes = (count: number) => (count === 1 ? '1 minute' : `${count} minutes`);

function timedOut({ execution: { id, status, run_timeout, wait_timeout } }: SeenExecution) {
  const reason =
    status === 'waiting'
      ? `Nobody reported within ${minutes(wait_timeout)}.`
      : `The run was not over after ${minutes(run_timeout)}.`;
  const attemptEnds = { error: reason, log: '', failed: false };
  return { id, status: 'finished', result: 'timeout', lastError: reason, attemptEnds, logEnds: `${reason}\n` };
}
