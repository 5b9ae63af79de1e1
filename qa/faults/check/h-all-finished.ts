/** (h) After the faults, all work finishes. If durations are checked, it finishes at most one minute after its timeout. */
import type { Checker, ExecutionRow } from './evidence.ts';

const minuteMs = 60_000;

export const allFinished: Checker = ({ executions, actions }) => [
  ...executions
    .filter(({ finished }) => finished === null)
    .map(({ id, status }) => `Execution ${id} is still ${status}.`),
  ...actions.filter(({ end_time }) => end_time === null).map(({ id }) => `Action ${id} has not ended.`),
];

export const allFinishedInTime: Checker = (evidence) => [
  ...allFinished(evidence),
  ...evidence.executions
    .filter((execution) => lateMs(execution) > minuteMs)
    .map(
      (execution) => `Execution ${execution.id} finished ${Math.round(lateMs(execution) / 1000)} s after its timeout.`,
    ),
];

/** The time from the timeout to the end. Negative if it ended before. */
function lateMs({ run_start, wait_start, finished, run_timeout, wait_timeout }: ExecutionRow): number {
  const end = finished ?? 0;
  const runEnd = wait_start ?? end;
  const run = run_start === null || run_timeout === 0 ? 0 : runEnd - run_start - run_timeout * minuteMs;
  const wait = wait_start === null || wait_timeout === 0 ? 0 : end - wait_start - wait_timeout * minuteMs;
  return Math.max(run, wait);
}
