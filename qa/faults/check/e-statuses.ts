/** (e) Statuses and results are valid, and times in order. */
import type { Checker, ExecutionRow } from './evidence.ts';

const results: Record<string, readonly string[]> = {
  created: ['none'],
  queued: ['none'],
  running: ['none'],
  waiting: ['none'],
  skipped: ['none'],
  finished: ['none', 'success', 'failed', 'timeout'],
};

export const validStatuses: Checker = ({ executions, actions, attempts }) => [
  ...executions.flatMap((execution) => errorsOf(execution).map((what) => `Execution ${execution.id} ${what}.`)),
  ...actions
    .filter(({ start_time, end_time }) => isBefore(end_time, start_time))
    .map(({ id }) => `Action ${id} ends before it starts.`),
  ...attempts
    .filter(({ started_at, ended_at }) => isBefore(ended_at, started_at))
    .map(({ execution_id, attempt }) => `Attempt ${attempt} of execution ${execution_id} ends before it starts.`),
];

const isBefore = (later: number | null, earlier: number | null) =>
  later !== null && earlier !== null && later < earlier;

function errorsOf({ status, result, created, run_start, wait_start, finished }: ExecutionRow): string[] {
  const allowed = results[status];
  if (!allowed) return [`has the unknown status ${status}`];
  const isOver = status === 'finished' || status === 'skipped';
  return [
    ...(allowed.includes(result) ? [] : [`is ${status} with the result ${result}`]),
    ...(isOver === (finished !== null) ? [] : [`is ${status} ${finished === null ? 'without' : 'with'} an end time`]),
    ...(status === 'running' && run_start === null ? ['is running without a start time'] : []),
    ...(isInOrder([created, run_start, wait_start, finished]) ? [] : ['has times that are not in order']),
  ];
}

function isInOrder(times: readonly (number | null)[]): boolean {
  const known = times.filter((time) => time !== null);
  return known.every((time, index) => index === 0 || time >= (known[index - 1] ?? 0));
}
