import type { BodyOf } from '../../api/operation-query.ts';

type Current = Pick<BodyOf<'listExecutionAttempts'>['attempts'][number], 'log' | 'ended_at'>;

export interface Said {
  /** That of the execution, when this was said. */
  runLog: string;
  log: string;
}

/**
 * What the attempt that runs now has said. When it ends, its log joins that of the execution, which is read a moment later:
 * until then it is what was said last.
 */
export function lastSaid(before: Said | undefined, runLog: string, current: Current | undefined): Said | undefined {
  if (!current) return undefined;
  const isSame = before?.runLog === runLog;
  if (current.ended_at !== null) return isSame ? before : undefined;
  return isSame && before.log === current.log ? before : { runLog, log: current.log };
}
