/**
 * How a run by one of our own workers ends (rules 3, 13 and 14): well, and then it may wait for a report; badly for good;
 * badly for now, and then it is tried again, up to five times; or given back by a worker that has to stop. A run whose
 * attempt was replaced or decided by somebody else in the meantime changes nothing any more.
 */
import { addLateLog } from '../../store/attempts.ts';
import type { ExecutionChange } from '../../store/changes-of-executions.ts';
import { isResolved } from '../change-state.ts';
import { settleExecution, type Moving } from '../settle.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';

export type RunEnd =
  | { kind: 'ended'; result: 'success' | 'failed'; values: Record<string, unknown>; reason?: string | undefined }
  | { kind: 'passing'; reason: string }
  | { kind: 'lasting'; reason: string }
  | { kind: 'given_back'; reason: string };

export interface FinishedRun {
  executionId: number;
  attempt: number;
  end: RunEnd;
  /** What has not been sent with a heartbeat yet. */
  log: string;
}

/** `stale`: a newer attempt has replaced it. `decided`: somebody has resolved the execution or taken it over. */
export type EndedAs = 'recorded' | 'decided' | 'stale';

export const mostFailures = 5;
const firstPauseSeconds = 5;

export const endRun = (moving: Moving, run: FinishedRun, random = Math.random): Promise<EndedAs> =>
  settleExecution(moving, run.executionId, async (seen) => {
    const { execution } = seen;
    if (execution.attempt !== run.attempt) return 'stale';
    if (!execution.attempt_open) {
      if (!seen.inputs.withdrawn) await addLateLog(moving.db, run);
      return 'decided';
    }
    const decided = isResolved(execution) || execution.status === 'waiting';
    const change = decided ? onlyLog(seen, run) : changeBy(seen, run, random);
    const written = await changeExecution(moving, seen, change);
    return written && (decided ? 'decided' : 'recorded');
  });

const onlyLog = ({ execution: { id, status, result } }: SeenExecution, { log }: FinishedRun): ExecutionChange => ({
  id,
  status,
  result,
  attemptEnds: { error: null, log, failed: false },
});

function changeBy(seen: SeenExecution, { end, log }: FinishedRun, random: () => number): ExecutionChange {
  if (end.kind === 'ended' && end.result === 'success') return succeeded(seen, end.values, log);
  if (end.kind === 'ended') return failed(seen, end.reason ?? 'The run failed.', log, end.values);
  if (end.kind === 'passing') return tryAgain(seen, end.reason, log, random);
  return end.kind === 'given_back' && isLatest(seen) ? givenBack(seen, end.reason, log) : failed(seen, end.reason, log);
}

function succeeded(
  { execution: { id, wait_timeout: limitMinutes } }: SeenExecution,
  resultValues: Record<string, unknown>,
  log: string,
): ExecutionChange {
  const attemptEnds = { error: null, log, failed: false };
  return limitMinutes > 0
    ? { id, status: 'waiting', result: 'none', resultValues, limitMinutes, attemptEnds }
    : { id, status: 'finished', result: 'success', resultValues, attemptEnds };
}

/** It was not the run's fault, so it does not count as a failure. */
const givenBack = ({ execution: { id } }: SeenExecution, reason: string, log: string): ExecutionChange => ({
  id,
  status: 'running',
  result: 'none',
  attemptEnds: { error: reason, log, failed: false },
  nextAttemptSeconds: 0,
});

const failed = (
  { execution: { id } }: SeenExecution,
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

const isLatest = ({ inputs, execution }: SeenExecution) => execution.action_id === inputs.action_id;

/** Of an action that was left behind there are no further attempts (rule 11). */
export function tryAgain(seen: SeenExecution, reason: string, log: string, random: () => number): ExecutionChange {
  const failures = seen.execution.failures + 1;
  if (failures >= mostFailures || !isLatest(seen)) {
    return failed(
      seen,
      failures >= mostFailures ? `${reason} This was the last of ${mostFailures} attempts that failed.` : reason,
      log,
    );
  }
  return {
    id: seen.execution.id,
    status: 'running',
    result: 'none',
    lastError: reason,
    attemptEnds: { error: reason, log: `${log}${reason}\n`, failed: true },
    nextAttemptSeconds: pauseAfter(seen.execution.failures, random),
  };
}

/** 5 s, doubling, a fifth more or less: those that failed together do not come back together. */
const pauseAfter = (failures: number, random: () => number) =>
  firstPauseSeconds * 2 ** failures * (0.8 + 0.4 * random());
