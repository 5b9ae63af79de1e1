/**
 * Decides whether a run gets another attempt (rule 14). Temporary failures in a row are retried for `retry_for`, with delays that
 * start at `retry_first` and double up to five minutes. Lost workers are counted instead: the fifth ends the run, because it may
 * be the run that kills them. A superseded action gets no further attempts.
 */
import { asCause } from '../../causes/find-cause.ts';
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import type { ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { countMinutes } from './count-minutes.ts';

export const maxLostWorkers = 5;
const firstDelayAfterLoss = 5;
const maxDelaySeconds = 300;

/** Why a run failed. */
export interface Failure {
  /** What the run or its worker met, as a sentence. */
  reason: string;
  /** What the program or the called server said about it. Default: the reason. */
  cause?: string | undefined;
}

export interface TemporaryEnd extends Failure {
  /** The host that failed. Retries to one host are paced. */
  host?: string | undefined;
}

export function retryOrFail(
  snapshot: ExecutionSnapshot,
  { reason, cause = asCause(reason), host }: TemporaryEnd,
  log: string,
  random: () => number,
): ExecutionChange {
  const { retry_for: minutes, retry_first: first, failing_for: failingFor, failures } = snapshot.execution;
  if (!isLatest(snapshot)) return failed(snapshot, { reason, cause }, log);
  const left = minutes * 60 - (failingFor ?? 0);
  if (left <= 0) return failed(snapshot, { reason: `${reason} ${whyNotRetried(minutes)}`, cause }, log);
  const delay = delayAfter(first, failingFor === null ? 0 : failures, random);
  // The last attempt is at the end of `retry_for`, whatever the delay.
  return retryIn(snapshot, Math.min(delay, left), { reason, cause }, { log, failed: true }, host);
}

const whyNotRetried = (minutes: number) =>
  minutes === 0 ? 'Not retried, because `retry_for` is 0.' : `Retried for ${countMinutes(minutes)} without success.`;

export function retryLost(snapshot: ExecutionSnapshot, reason: string, random: () => number): ExecutionChange {
  const { lost_workers: lost } = snapshot.execution;
  if (!isLatest(snapshot)) return failed(snapshot, { reason }, '');
  if (lost + 1 >= maxLostWorkers) {
    return failed(snapshot, { reason: `${reason} The run has lost ${maxLostWorkers} workers.`, cause: reason }, '');
  }
  const delay = delayAfter(firstDelayAfterLoss, lost, random);
  return retryIn(snapshot, delay, { reason }, { log: '', failed: true, lost: true });
}

/** Doubles, with 20% jitter so that runs that failed together are not retried together. */
const delayAfter = (first: number, failures: number, random: () => number) =>
  Math.min(first * 2 ** failures, maxDelaySeconds) * (0.8 + 0.4 * random());

type AttemptEnd = Omit<NonNullable<ExecutionChange['attemptEnds']>, 'error'>;

const retryIn = (
  { execution: { id }, inputs }: ExecutionSnapshot,
  seconds: number,
  { reason, cause = asCause(reason) }: Failure,
  end: AttemptEnd,
  retryHost?: string,
): ExecutionChange => ({
  id,
  status: 'running',
  result: 'none',
  lastError: reason,
  cause,
  attemptEnds: {
    ...end,
    error: withCause(reason, cause),
    log: `${end.log}${withCause(reason, cause)}\nRetrying at ${timeAfter(inputs.now, seconds)}.\n`,
  },
  nextAttemptSeconds: seconds,
  retryHost,
});

const timeAfter = (now: string, seconds: number) =>
  new Date(Date.parse(now) + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

export const failed = (
  { execution: { id } }: ExecutionSnapshot,
  { reason, cause = asCause(reason) }: Failure,
  log: string,
  resultValues?: Record<string, unknown>,
): ExecutionChange => ({
  id,
  status: 'finished',
  result: 'failed',
  resultValues,
  lastError: reason,
  cause,
  attemptEnds: { error: withCause(reason, cause), log: `${log}${withCause(reason, cause)}\n`, failed: false },
});

/** Attempts and logs have both. The reason alone is in the history. */
const withCause = (reason: string, cause: string) =>
  asCause(reason).includes(cause) ? reason : `${reason.replace(/\.$/, '')}: ${cause}`;

export const isLatest = ({ inputs, execution }: ExecutionSnapshot) => execution.action_id === inputs.action_id;
