import type { BodyOf } from '../../api/operation-query.ts';

type Attempt = Pick<BodyOf<'listExecutionAttempts'>['attempts'][number], 'log' | 'ended_at'>;

export interface LatestLog {
  /** The log of the execution when `log` was read. */
  runLog: string;
  log: string;
}

/**
 * The log of the running attempt. When the attempt ends, its log becomes part of the execution's log, which is read a
 * moment later. Until then the last known log stays visible.
 */
export function latestLog(
  previous: LatestLog | undefined,
  runLog: string,
  attempt: Attempt | undefined,
): LatestLog | undefined {
  if (!attempt) return undefined;
  const isSame = previous?.runLog === runLog;
  if (attempt.ended_at !== null) return isSame ? previous : undefined;
  return isSame && previous.log === attempt.log ? previous : { runLog, log: attempt.log };
}
