/**
 * Records the end of a run in one of our own workers: success, after which it can wait for a report; a permanent failure; a
 * temporary failure, which is retried for a time; a pause; or a return to the queue by a worker that stops. If a report has decided
 * the outcome in the meantime, only the log is stored. The end of a replaced attempt is ignored.
 */
import { addLateLog } from '../../store/runs/attempts.ts';
import type { TraceContext } from '../../tracing/span.ts';
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import { isResolved } from '../experiments/change-state.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { changeExecution } from './resolve-execution.ts';
import { failed, isLatest, retryOrFail, type Failure, type TemporaryEnd } from './retry-or-fail.ts';

export type RunEnd =
  | ({ kind: 'ended'; result: 'success' | 'failed'; values: Record<string, unknown> } & Partial<Failure>)
  | ({ kind: 'temporary' } & TemporaryEnd)
  | { kind: 'permanent'; reason: string }
  | { kind: 'returned'; reason: string }
  | { kind: 'paused'; seconds: number };

export interface FinishedRun {
  executionId: number;
  attempt: number;
  end: RunEnd;
  /** The part that no heartbeat has sent yet. */
  log: string;
  /** Where the run belongs in a trace. */
  trace?: TraceContext | undefined;
}

/** `stale`: a newer attempt exists. `decided`: a report has already resolved the execution or taken it from the worker. */
export type EndedAs = 'recorded' | 'decided' | 'stale';

export const endRun = (context: EngineContext, run: FinishedRun, random = Math.random): Promise<EndedAs> =>
  withExecution(context, run.executionId, async (snapshot) => {
    const { execution } = snapshot;
    if (execution.attempt !== run.attempt) return 'stale';
    if (!execution.attempt_open) {
      if (!snapshot.inputs.withdrawn) await addLateLog(context.db, run);
      return 'decided';
    }
    const decided = isDecided(execution);
    const change = decided ? onlyLog(snapshot, run) : changeBy(snapshot, run, random);
    const written = await changeExecution({ ...context, trace: run.trace }, snapshot, change);
    return written && (decided ? 'decided' : 'recorded');
  });

/** The change if the run is the latest attempt and nothing has decided its outcome. Otherwise undefined. */
export function changeAtEnd(
  snapshot: ExecutionSnapshot,
  run: FinishedRun,
  random = Math.random,
): ExecutionChange | undefined {
  const { execution } = snapshot;
  const isOpen = execution.attempt === run.attempt && execution.attempt_open && !isDecided(execution);
  return isOpen ? changeBy(snapshot, run, random) : undefined;
}

const isDecided = (execution: ExecutionSnapshot['execution']) =>
  isResolved(execution) || execution.status === 'waiting';

const onlyLog = ({ execution: { id, status, result } }: ExecutionSnapshot, { log }: FinishedRun): ExecutionChange => ({
  id,
  status,
  result,
  attemptEnds: { error: null, log, failed: false },
});

function changeBy(snapshot: ExecutionSnapshot, { end, log }: FinishedRun, random: () => number): ExecutionChange {
  if (end.kind === 'ended' && end.result === 'success') return succeeded(snapshot, end.values, log);
  if (end.kind === 'ended') return failed(snapshot, { reason: 'The run failed.', ...end }, log, end.values);
  if (end.kind === 'paused') return paused(snapshot, end.seconds, log);
  if (end.kind === 'temporary') return retryOrFail(snapshot, end, log, random);
  return end.kind === 'returned' && isLatest(snapshot)
    ? returned(snapshot, end.reason, log)
    : failed(snapshot, end, log);
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

/** The pause is part of the run, so it counts against `run_timeout`. A superseded action gets no further attempts. */
const paused = (snapshot: ExecutionSnapshot, seconds: number, log: string): ExecutionChange =>
  isLatest(snapshot)
    ? {
        id: snapshot.execution.id,
        status: 'running',
        result: 'none',
        attemptEnds: { error: null, log, failed: false },
        nextAttemptSeconds: seconds,
        runsOn: true,
      }
    : failed(snapshot, { reason: 'The experiment moved on before the run ended.' }, log);

/** Not a failure of the run, so it does not count as one. */
const returned = ({ execution: { id } }: ExecutionSnapshot, reason: string, log: string): ExecutionChange => ({
  id,
  status: 'running',
  result: 'none',
  attemptEnds: { error: reason, log, failed: false },
  nextAttemptSeconds: 0,
});
