/** (h) After the faults, all work finishes. If durations are checked, it finishes at most one minute after its timeout. */
import type { AttemptRow, Checker, ExecutionRow } from './evidence.ts';

const minuteMs = 60_000;

export const allFinished: Checker = ({ executions, actions }) => [
  ...executions
    .filter(({ finished }) => finished === null)
    .map(({ id, status }) => `Execution ${id} is still ${status}.`),
  ...actions.filter(({ end_time }) => end_time === null).map(({ id }) => `Action ${id} has not ended.`),
];

export const allFinishedInTime: Checker = (evidence) => {
  const attempts = Map.groupBy(evidence.attempts, ({ execution_id }) => execution_id);
  return [
    ...allFinished(evidence),
    ...evidence.executions
      .map((execution) => ({ id: execution.id, late: lateMs(execution, pausedMs(attempts.get(execution.id) ?? [])) }))
      .filter(({ late }) => late > minuteMs)
      .map(({ id, late }) => `Execution ${id} finished ${Math.round(late / 1000)} s after its timeout.`),
  ];
};

/** The time between attempts, which does not count. */
function pausedMs(attempts: readonly AttemptRow[]): number {
  const inOrder = attempts.toSorted((a, b) => a.attempt - b.attempt);
  const pauses = inOrder.slice(1).map(({ started_at }, index) => started_at - (inOrder[index]?.ended_at ?? started_at));
  return pauses.reduce((sum, pause) => sum + pause, 0);
}

/** The time from the timeout to the end. Negative if it ended before. */
function lateMs({ run_start, wait_start, finished, run_timeout, wait_timeout }: ExecutionRow, paused: number): number {
  const end = finished ?? 0;
  const runEnd = wait_start ?? end;
  const run = run_start === null || run_timeout === 0 ? 0 : runEnd - run_start - paused - run_timeout * minuteMs;
  const wait = wait_start === null || wait_timeout === 0 ? 0 : end - wait_start - wait_timeout * minuteMs;
  return Math.max(run, wait);
}
