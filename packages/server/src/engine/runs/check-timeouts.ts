/**
 * Ends executions that have timed out: a run longer than its run_timeout, or a wait longer than its wait_timeout. Time between
 * two attempts does not count. They are ended in batches, and those that a batch skips are ended one by one. If several callers check at
 * once, each execution is ended and counted by one of them.
 */
import { inTransaction } from '../../database/transaction.ts';
import { listOverdue, lockOverdue, type FoundExecution } from '../../store/runs/sweeps.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { changeTogether, maxTogether } from './change-together.ts';
import { countMinutes } from './count-minutes.ts';
import { changeExecution } from './resolve-execution.ts';
import { sweepExecutions } from './sweep-executions.ts';

export interface TimeoutCounts {
  run_timeouts: number;
  wait_timeouts: number;
}

export async function checkTimeouts(context: EngineContext, signal?: AbortSignal): Promise<TimeoutCounts> {
  const counts = { run_timeouts: 0, wait_timeouts: 0 };
  const count = (status: string) => {
    if (status === 'running') counts.run_timeouts++;
    if (status === 'waiting') counts.wait_timeouts++;
  };
  const isRunning = () => signal?.aborted !== true;
  while (isRunning() && (await timeOutBatch(context, count)));
  const handle = async ({ id }: FoundExecution) => {
    const ended = await timeOut(context, id);
    count(ended);
    return ended !== 'not overdue';
  };
  await sweepExecutions(context, { list: (locked, limit) => listOverdue(context.db, locked, limit), handle, signal });
  return counts;
}

/** Returns whether there may be more. After a failed batch, its executions are ended one by one, which shows the error of each. */
async function timeOutBatch(context: EngineContext, count: (status: string) => void): Promise<boolean> {
  const queues: string[] = [];
  const wake = (names: readonly string[]) => void queues.push(...names);
  const statuses = new Map<number, string>();
  const rule = (snapshot: ExecutionSnapshot) => {
    const { id, status, overdue } = snapshot.execution;
    statuses.set(id, status);
    return overdue ? { change: timedOut(snapshot) } : undefined;
  };
  const ended = inTransaction(context.db, async (tx) => {
    const ids = await lockOverdue(tx, maxTogether);
    return ids.length === 0 ? new Set<number>() : changeTogether({ ...context, db: tx, wake }, ids, rule);
  });
  const changed = await ended.catch(() => new Set<number>());
  context.wake(queues);
  for (const id of changed) count(statuses.get(id) ?? '');
  return changed.size > 0;
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
  const ended = { id, status: 'finished', result: 'timeout', lastError: reason, cause: reason };
  return { ...ended, attemptEnds, appendToLog: `${reason}\n` };
}
