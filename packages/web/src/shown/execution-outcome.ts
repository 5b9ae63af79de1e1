/** An execution's status and result as one outcome. */
import type { BodyOf } from '../api/operation-query.ts';
import type { OutcomeName } from './outcome.tsx';

export type RowExecution = BodyOf<'listExperimentRows'>['experiments'][number]['executions'][number];

type Ended = Pick<RowExecution, 'status' | 'result' | 'next_attempt_at'>;

const ended: Readonly<Record<string, OutcomeName>> = {
  success: 'success',
  failed: 'failed',
  timeout: 'timed_out',
  none: 'none',
};
const open: Readonly<Record<string, OutcomeName>> = { waiting: 'waiting', running: 'running', skipped: 'skipped' };

export function executionOutcome({ status, result, next_attempt_at }: Ended): OutcomeName {
  if (status === 'finished') return ended[result] ?? 'none';
  if (next_attempt_at !== null) return 'retrying';
  return open[status] ?? 'queued';
}
