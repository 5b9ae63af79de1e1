/**
 * Ends executions that have timed out: a run longer than its run_timeout, or a wait longer than its wait_timeout. Time between
 * two attempts does not count. If several callers check at once, each execution is ended and counted by one of them.
 */
import { listOverdue, type FoundExecution } from '../../store/runs/sweeps.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { countMinutes } from './count-minutes.ts';
import { changeExecution } from './resolve-execution.ts';
import { sweepExecutions } from './sweep-executions.ts';

export interface TimeoutCounts {
  run_timeouts: number;
  wait_timeouts: number;
}

export async function checkTimeouts(context: EngineContext, signal?: AbortSignal): Promise<TimeoutCounts> {
  const counts = { run_timeouts: 0, wait_timeouts: 0 };
  const handle = async ({ id }: FoundExecution) => {
    const ended = await timeOut(context, id);
    if (ended === 'running') counts.run_timeouts++;
    if (ended === 'waiting') counts.wait_timeouts++;
    return ended !== 'not overdue';
  };
  await sweepExecutions(context, { list: (locked, limit) => listOverdue(context.db, locked, limit), handle, signal });
  return counts;
}

/** Returns the status it had, or `not overdue` if another change has ended the execution or extended its deadline. */
const timeOut = (context: EngineContext, executionId: number): Promise<string> =>
  withExecution(context, executionId, async (snapshot) => {
    const { status, overdue } = snapshot.execution;
    if (!overdue) return 'not overdue';
    const written = await changeExecution(context, snapshot, timedOut(snapshot));
    return written && status;
  });

function timedOut({ execution: { id, status, run_timeout, wait_timeout } }: ExecutionSnapshot) {
  const reason =
    status === 'waiting'
      ? `No report arrived within ${countMinutes(wait_timeout)}.`
      : `The run did not finish within ${countMinutes(run_timeout)}.`;
  const attemptEnds = { error: reason, log: '', failed: false };
  return { id, status: 'finished', result: 'timeout', lastError: reason, attemptEnds, appendToLog: `${reason}\n` };
}
