/**
 * A report on an execution, by a user with the permission or with an attempt's secret. The status only moves forward, and
 * `finished` is final. A result that comes earlier is kept until then.
 */
import { findCause } from '../../causes/find-cause.ts';
import { Problem } from '../../errors.ts';
import type { ExecutionChange } from '../../store/experiments/change/update-execution.ts';
import { readLogEnd } from '../../store/runs/attempts.ts';
import type { Reported } from '../../store/runs/reports.ts';
import { isResolved } from '../experiments/change-state.ts';
import { withExecution, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { cutLog } from './cut-log.ts';
import { bytesOf } from './fit-values.ts';
import { reportLate } from './report-late.ts';
import { changeExecution } from './resolve-execution.ts';
import { callbackQueue } from '../../jobs/queue-names.ts';

export type Report = Partial<Reported>;

/** The attempt whose secret came with the report, known once the execution is read, or a user. */
export type Reporter = { readonly attempt: number } | 'person';

const ranks: Record<string, number> = { created: 0, queued: 1, running: 2, waiting: 3, finished: 4, skipped: 4 };
const rank = (status: string) => ranks[status] ?? 0;

export const reportExecution = (
  context: EngineContext,
  executionId: number,
  reporter: Reporter,
  report: Report,
): Promise<'recorded' | 'unchanged'> =>
  withExecution(context, executionId, async (snapshot) => {
    const { execution } = snapshot;
    if (reporter !== 'person' && reporter.attempt !== execution.attempt)
      throw stale(reporter.attempt, execution.attempt);
    rejectTooLarge(report, context.maxValuesBytes);
    const cut = cutLogs(report);
    if (isResolved(execution)) return reportLate(context, snapshot, cut);
    rejectConflict(snapshot, cut);
    const change = changeBy(snapshot, reporter, cut);
    const cause = change.cause === '' ? await causeInLog(context, execution) : change.cause;
    const written = await changeExecution(context, snapshot, { ...change, cause });
    return written && 'recorded';
  });

const stale = (attempt: number, latest: number) =>
  new Problem('stale_attempt', `This report is from attempt ${attempt}, but attempt ${latest} has replaced it.`);

/** The report changes nothing, so that the worker can send a smaller one. */
function rejectTooLarge({ result_values: values }: Report, maxBytes: number): void {
  const bytes = values === undefined ? 0 : bytesOf(values);
  if (bytes <= maxBytes) return;
  const detail = `\`result_values\` have ${bytes} bytes as JSON. The limit is ${maxBytes}. Report fewer values with the same secret.`;
  throw new Problem('values_too_large', detail);
}

const cutLogs = ({ run_log, result_log, ...report }: Report): Report => ({
  ...report,
  ...(run_log !== undefined && { run_log: cutLog(run_log) }),
  ...(result_log !== undefined && { result_log: cutLog(result_log) }),
});

const conflict = (detail: string) => new Problem('status_conflict', detail);

function rejectConflict({ execution }: ExecutionSnapshot, { status = execution.status, result }: Report): void {
  if (rank(status) < rank(execution.status)) {
    throw conflict(`The execution is ${execution.status} and cannot go back to ${status}.`);
  }
  if (status === 'waiting' && execution.status !== 'waiting' && execution.wait_timeout === 0) {
    throw conflict('The callback has no `wait_timeout`, so it cannot wait for a report. Report `finished` instead.');
  }
  if (result !== undefined && result !== 'none' && status === 'skipped') {
    throw conflict(
      `A skipped execution has no result. Send \`skipped\` without \`${result}\`, or \`finished\` with it.`,
    );
  }
}

function changeBy({ execution }: ExecutionSnapshot, reporter: Reporter, report: Report): ExecutionChange {
  const { status = execution.status, run_log, result_log, result_values } = report;
  const { result = status === 'skipped' ? 'none' : execution.result } = report;
  const changes = status !== execution.status;
  const limits: Record<string, number> = { running: execution.run_timeout, waiting: execution.wait_timeout };
  return {
    id: execution.id,
    status,
    result,
    resultValues: result_values,
    runLog: run_log,
    resultLog: result_log,
    cause: succeeds({ status, result }) ? undefined : causeBy(execution, report),
    timeoutMinutes: changes ? limits[status] : undefined,
    attemptEnds: changes && endsAttempt(execution.queue, reporter, status) ? attemptEnd(reporter) : undefined,
    leavesQueue: changes && rank(status) >= rank('running') && awaitsAttempt(execution),
  };
}

const isBad = (result: string) => result === 'failed' || result === 'timeout';

const succeeds = ({ status, result }: { status: string; result: string }) =>
  !isBad(result) && (status !== 'finished' || result === 'success');

/** A report without a reason keeps the reason of an earlier report of the same result. */
function causeBy({ result }: ExecutionSnapshot['execution'], report: Report): string | undefined {
  const { result_values: values = {}, result_log: resultLog = '', run_log: runLog = '' } = report;
  const found = findCause([{ values }, { output: resultLog }, { output: runLog }]);
  return found ?? (isBad(result) ? undefined : '');
}

/** A worker that sends its output with its heartbeats may have said it there. */
const causeInLog = async ({ db }: EngineContext, { id, attempt }: ExecutionSnapshot['execution']) =>
  findCause([{ output: await readLogEnd(db, id, attempt) }]) ?? '';

/** Not started, or between two attempts. A job exists to start the next one. */
const awaitsAttempt = ({ status, attempt_open: isRun }: ExecutionSnapshot['execution']) =>
  rank(status) < rank('running') || !isRun;

/**
 * A user who changes the status takes the execution from its worker. For a pulling worker, a final report ends the attempt. In
 * our own worker, the reporting program is still running, so the attempt ends with the run.
 */
const endsAttempt = (queue: string, reporter: Reporter, status: string) =>
  reporter === 'person' || (queue !== callbackQueue && isResolved({ status }));

const attemptEnd = (reporter: Reporter) => ({
  error: reporter === 'person' ? 'A user set the status.' : null,
  log: '',
  failed: false,
});
