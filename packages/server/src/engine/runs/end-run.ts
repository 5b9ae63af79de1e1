/**
 * Records the end of a run in one of our own workers: success, after which it can wait for a report; a permanent failure; a
 * temporary failure, which is retried up to five attempts; or a return to the queue by a worker that stops. If a report has
 * decided the outcome in the meantime, only the log is stored. The end of a replaced attempt is ignored.
 */
import { addLateLog } from '../../store/runs/attempts.ts';
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import { isResolved } from '../experiments/change-state.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { changeExecution } from './resolve-execution.ts';

export type RunEnd =
  | { kind: 'ended'; result: 'success' | 'failed'; values: Record<string, unknown>; reason?: string | undefined }
  | { kind: 'temporary'; reason: string }
  | { kind: 'permanent'; reason: string }
  | { kind: 'returned'; reason: string };

export interface FinishedRun {
  executionId: number;
  attempt: number;
  end: RunEnd;
  /** The part that no heartbeat has sent yet. */
  log: string;
}

/** `stale`: a newer attempt exists. `decided`: a report has already resolved the execution or taken it from the worker. */
export type EndedAs = 'recorded' | 'decided' | 'stale';

export const maxFailures = 5;
const firstPauseSeconds = 5;

export const endRun = (context: EngineContext, run: FinishedRun, random = Math.random): Promise<EndedAs> =>
  withExecution(context, run.executionId, async (snapshot) => {
    const { execution } = snapshot;
    if (execution.attempt !== run.attempt) return 'stale';
    if (!execution.attempt_open) {
      if (!snapshot.inputs.withdrawn) await addLateLog(context.db, run);
      return 'decided';
    }
    const decided = isResolved(execution) || execution.status === 'waiting';
    const change = decided ? onlyLog(snapshot, run) : changeBy(snapshot, run, random);
    const written = await changeExecution(context, snapshot, change);
    return written && (decided ? 'decided' : 'recorded');
  });

const onlyLog = ({ execution: { id, status, result } }: ExecutionSnapshot, { log }: FinishedRun): ExecutionChange => ({
  id,
  status,
  result,
  attemptEnds: { error: null, log, failed: false },
});

function changeBy(snapshot: ExecutionSnapshot, { end, log }: FinishedRun, random: () => number): ExecutionChange {
  if (end.kind === 'ended' && end.result === 'success') return succeeded(snapshot, end.values, log);
  if (end.kind === 'ended') return failed(snapshot, end.reason ?? 'The run failed.', log, end.values);
  if (end.kind === 'temporary') return retryOrFail(snapshot, end.reason, log, random);
  return end.kind === 'returned' && isLatest(snapshot)
    ? returned(snapshot, end.reason, log)
    : failed(snapshot, end.reason, log);
}

/** A run that waits keeps the result of an earlier report. */
function succeeded(
  { execution: { id, result, wait_timeout: timeoutMinutes } }: ExecutionSnapshot,
  resultValues: Record<string, unknown>,
  log: string,
): ExecutionChange {
  const attemptEnds = { error: null, log, failed: false };
  return timeoutMinutes > 0
    ? { id, status: 'waiting', result, resultValues, timeoutMinutes, attemptEnds }
    : { id, status: 'finished', result: 'success', resultValues, attemptEnds };
}

/** Not a failure of the run, so it does not count as one. */
const returned = ({ execution: { id } }: ExecutionSnapshot, reason: string, log: string): ExecutionChange => ({
  id,
  status: 'running',
  result: 'none',
  attemptEnds: { error: reason, log, failed: false },
  nextAttemptSeconds: 0,
});

const failed = (
  { execution: { id } }: ExecutionSnapshot,
  reason: string,
  log: string,
  resultValues?: Record<string, unknown>,
): ExecutionChange => ({
  id,
  status: 'finished',
  result: 'failed',
  resultValues,
  lastError: reason,
  attemptEnds: { error: reason, log: `${log}${reason}\n`, failed: false },
});

const isLatest = ({ inputs, execution }: ExecutionSnapshot) => execution.action_id === inputs.action_id;

/** A superseded action gets no further attempts. */
export function retryOrFail(
  snapshot: ExecutionSnapshot,
  reason: string,
  log: string,
  random: () => number,
): ExecutionChange {
  const failures = snapshot.execution.failures + 1;
  if (failures >= maxFailures || !isLatest(snapshot)) {
    return failed(snapshot, failures >= maxFailures ? `${reason} All ${maxFailures} attempts failed.` : reason, log);
  }
  return {
    id: snapshot.execution.id,
    status: 'running',
    result: 'none',
    lastError: reason,
    attemptEnds: { error: reason, log: `${log}${reason}\n`, failed: true },
    nextAttemptSeconds: pauseAfter(snapshot.execution.failures, random),
  };
}

/** Starts at 5 s and doubles, with 20% jitter so that runs that failed together are not retried together. */
const pauseAfter = (failures: number, random: () => number) =>
  firstPauseSeconds * 2 ** failures * (0.8 + 0.4 * random());
