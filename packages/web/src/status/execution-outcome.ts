/** Combines an execution's status and result into one outcome. */
import type { BodyOf } from '../api/operation-query.ts';
import type { OutcomeName } from './outcome.tsx';

export type RowExecution = BodyOf<'listExperimentRows'>['experiments'][number]['executions'][number];

type Ended = Pick<RowExecution, 'status' | 'result' | 'next_attempt_at'> & { last_error?: string | null };

const ended: Readonly<Record<string, OutcomeName>> = {
  success: 'success',
  failed: 'failed',
  timeout: 'timed_out',
  none: 'none',
};
/** The filter uses the same words. */
const open: Readonly<Record<string, OutcomeName>> = {
  created: 'delayed',
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  skipped: 'skipped',
};

export function executionOutcome({ status, result, next_attempt_at, last_error }: Ended): OutcomeName {
  if (status === 'finished') return ended[result] ?? 'none';
  // Before the first attempt, `next_attempt_at` is the end of the initial delay. A run that sleeps has one, too, but no error.
  if (status === 'running' && next_attempt_at !== null && last_error !== null) return 'retrying';
  return open[status] ?? 'queued';
}
