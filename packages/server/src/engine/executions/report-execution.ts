/**
 * A report on an execution (rules 2, 3, 13 and 14), by a person who may decide or by whoever holds an attempt's secret. The
 * status goes forward only; `finished` is always final. On a resolved execution the same report again changes nothing, the
 * last attempt may fill in what is still empty, and anything else is refused and kept in the history.
 */
import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../errors.ts';
import type { ExecutionChange } from '../../store/changes-of-executions.ts';
import { getReported, type Reported } from '../../store/reports.ts';
import { isResolved } from '../change-state.ts';
import { settleExecution, write, type Moving } from '../settle.ts';
import { cutLog } from './cut-log.ts';
import { changeExecution, type SeenExecution } from './resolve-execution.ts';
import { callbackQueue } from '../../jobs/queue-names.ts';

export type Report = Partial<Reported>;

/** The attempt whose secret came with the report; without one a person decides. */
export type Reporter = { attempt: number } | 'person';

const ranks: Record<string, number> = { created: 0, queued: 1, running: 2, waiting: 3, finished: 4, skipped: 4 };
const rank = (status: string) => ranks[status] ?? 0;

export const reportExecution = (
  moving: Moving,
  executionId: number,
  reporter: Reporter,
  report: Report,
): Promise<'recorded' | 'unchanged'> =>
  settleExecution(moving, executionId, async (seen) => {
    const { execution } = seen;
    if (reporter !== 'person' && reporter.attempt !== execution.attempt)
      throw stale(reporter.attempt, execution.attempt);
    const cut = cutLogs(report);
    if (isResolved(execution)) return reportLate(moving, seen, reporter, cut);
    refuse(seen, cut);
    const written = await changeExecution(moving, seen, changeBy(seen, reporter, cut));
    return written && 'recorded';
  });

const stale = (attempt: number, latest: number) =>
  new Problem('stale_attempt', `This is a report of attempt ${attempt}, and attempt ${latest} has taken its place.`);

const cutLogs = ({ run_log, result_log, ...report }: Report): Report => ({
  ...report,
  ...(run_log !== undefined && { run_log: cutLog(run_log) }),
  ...(result_log !== undefined && { result_log: cutLog(result_log) }),
});

const conflict = (detail: string) => new Problem('status_conflict', detail);

function refuse({ execution }: SeenExecution, { status = execution.status, result }: Report): void {
  if (rank(status) < rank(execution.status)) {
    throw conflict(`The execution is ${execution.status} and cannot go back to ${status}.`);
  }
  if (status === 'waiting' && execution.status !== 'waiting' && execution.wait_timeout === 0) {
    throw conflict('The callback has no wait_timeout, so there is nothing to wait for: report finished.');
  }
  if (result !== undefined && result !== 'none' && status !== 'finished') {
    throw conflict(`The result ${result} belongs to an execution that is finished; send the status finished with it.`);
  }
}

function changeBy({ execution }: SeenExecution, reporter: Reporter, report: Report): ExecutionChange {
  const { status = execution.status, result = 'none', run_log, result_log, result_values } = report;
  const changes = status !== execution.status;
  const limits: Record<string, number> = { running: execution.run_timeout, waiting: execution.wait_timeout };
  return {
    id: execution.id,
    status,
    result,
    resultValues: result_values,
    runLog: run_log,
    resultLog: result_log,
    limitMinutes: changes ? limits[status] : undefined,
    attemptEnds: changes && endsAttempt(execution.queue, reporter, status) ? attemptEnd(reporter) : undefined,
    leavesQueue: changes && rank(status) >= rank('running') && awaitsAttempt(execution),
  };
}

/** Not begun, or between two attempts: then a job is there to start one. */
const awaitsAttempt = ({ status, attempt_open: isRun }: SeenExecution['execution']) =>
  rank(status) < rank('running') || !isRun;

/**
 * A person who changes the status decides, and takes the execution out of its worker's hands. Whoever pulled it ends with
 * the report; our own worker, whose program reported by itself, goes on to the end of the run.
 */
const endsAttempt = (queue: string, reporter: Reporter, status: string) =>
  reporter === 'person' || (queue !== callbackQueue && isResolved({ status }));

const attemptEnd = (reporter: Reporter) => ({
  error: reporter === 'person' ? 'Somebody decided by hand.' : null,
  log: '',
  failed: false,
});

const fillable = ['run_log', 'result_log', 'result_values'] as const;

async function reportLate(moving: Moving, seen: SeenExecution, reporter: Reporter, report: Report) {
  const { id, status, result } = seen.execution;
  const stored = await getReported(moving.db, id);
  const differing = (Object.keys(report) as (keyof Reported)[]).filter(
    (name) => !isDeepStrictEqual(report[name], stored[name]),
  );
  if (differing.length === 0) return 'unchanged';
  if (reporter !== 'person' && differing.every((name) => mayFill(stored, name))) {
    const { run_log: runLog, result_log: resultLog, result_values: resultValues } = report;
    const written = await changeExecution(moving, seen, { id, status, result, runLog, resultLog, resultValues });
    return written && 'recorded';
  }
  return keepLateReport(moving, seen, report);
}

const mayFill = (stored: Reported, name: keyof Reported): boolean =>
  (fillable as readonly string[]).includes(name) && (stored[name] === '' || isDeepStrictEqual(stored[name], {}));

async function keepLateReport(moving: Moving, seen: SeenExecution, { status, result }: Report): Promise<undefined> {
  const { execution } = seen;
  const record = {
    author: moving.author,
    objectKind: 'callback_execution' as const,
    objectId: execution.id,
    before: { status: execution.status, result: execution.result },
    after: { late_report: { status: status ?? null, result: result ?? null } },
  };
  const written = await write(moving, seen, { records: [record] });
  if (!written) return undefined;
  throw new Problem(
    'already_resolved',
    `The execution is ${execution.status} with the result ${execution.result}, and that stays. ` +
      'To run the callback again, retry it.',
    { keepsWritten: true },
  );
}
