/**
 * A report on a resolved execution. Logs are appended, and result values are stored if there are none yet. A report with only
 * stored values changes nothing. Any other report is rejected and recorded in the history.
 */
import { Problem } from '../../errors.ts';
import { hashLogs } from '../../store/record/hash-logs.ts';
import { compareReport, type Reported } from '../../store/runs/reports.ts';
import { commitChange, type EngineContext, type ExecutionSnapshot } from '../experiments/optimistic-lock.ts';
import { changeExecution } from './resolve-execution.ts';

export async function reportLate(
  context: EngineContext,
  snapshot: ExecutionSnapshot,
  report: Partial<Reported>,
): Promise<'recorded' | 'unchanged' | undefined> {
  const { differing, has_values: hasValues } = await compareReport(context.db, snapshot.execution.id, report);
  const { status, result, result_values: values, ...logs } = only(differing, report);
  const canAdd = values === undefined || !hasValues;
  if (status !== undefined || result !== undefined || !canAdd) return rejectLate(context, snapshot, report);
  return values === undefined && Object.keys(logs).length === 0 ? 'unchanged' : add(context, snapshot, logs, values);
}

/** An empty log adds nothing. */
const only = (names: readonly (keyof Reported)[], report: Partial<Reported>): Partial<Reported> =>
  Object.fromEntries(names.filter((name) => report[name] !== '').map((name) => [name, report[name]]));

type Logs = Partial<Pick<Reported, 'run_log' | 'result_log'>>;

/** The history has the length and a hash of each added log, but not its text, which can be large and is removed some day. */
async function add(
  context: EngineContext,
  snapshot: ExecutionSnapshot,
  logs: Logs,
  resultValues: Reported['result_values'] | undefined,
) {
  const { id, status, result } = snapshot.execution;
  const change = { id, status, result, resultValues, appendToLog: logs.run_log, appendToResultLog: logs.result_log };
  const hasLogs = Object.keys(logs).length > 0;
  const recorded = hasLogs ? { appended: await hashLogs(context.db, snapshot.inputs.id, logs) } : {};
  const written = await changeExecution(context, snapshot, change, recorded);
  return written && 'recorded';
}

async function rejectLate(
  context: EngineContext,
  snapshot: ExecutionSnapshot,
  { status, result }: Partial<Reported>,
): Promise<undefined> {
  const { execution } = snapshot;
  const record = {
    author: context.author,
    objectKind: 'callback_execution' as const,
    objectId: execution.id,
    before: { status: execution.status, result: execution.result },
    after: { late_report: { status: status ?? null, result: result ?? null } },
    eventData: { late: true },
  };
  const written = await commitChange(context, snapshot, { records: [record] });
  if (!written) return undefined;
  throw new Problem(
    'already_resolved',
    `The execution is already ${execution.status} with the result ${execution.result}. ` +
      'To run the callback again, retry it.',
    { keepsChanges: true },
  );
}
