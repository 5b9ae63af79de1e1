/** Reports on executions (rules 2, 3, 13 and 14). */
import { isDeepStrictEqual } from 'node:util';
import { endIfDone } from './end-action.ts';
import type { Values } from './workflow.ts';
import {
  isLatest,
  isResolved,
  ok,
  rejected,
  type Execution,
  type Expected,
  type Result,
  type Status,
  type World,
} from './world.ts';

export interface Report {
  status?: Status;
  result?: Result;
  result_values?: Values;
  result_log?: string;
}

/** A person with the permission, a program with the secret of an attempt, or a program with an unknown secret. */
export type Reporter = 'person' | { attempt: number } | 'stranger';

const rank = { created: 0, queued: 1, running: 2, waiting: 3, finished: 4, skipped: 4 };

/** PUT /callback_executions/{id}. */
export function report(world: World, execution: Execution, by: Reporter, sent: Report): Expected {
  if (by === 'stranger') return rejected(403, 'wrong_secret');
  if (by !== 'person' && by.attempt !== execution.attempt) {
    world.count('a report of a stale attempt');
    return rejected(409, 'stale_attempt');
  }
  if (isTooLarge(sent)) {
    world.count('values that are too large are rejected');
    return rejected(413, 'values_too_large');
  }
  if (isResolved(execution)) return reportLate(world, execution, sent);
  if (!isAllowed(execution, sent)) return rejected(409, 'status_conflict');
  accept(world, execution, by, sent);
  return shown(execution);
}

/** The setting of the server, in bytes. */
export const maxValuesBytes = 1024;

const isTooLarge = ({ result_values: values = {} }: Report) => JSON.stringify(values).length > maxValuesBytes;

const shown = ({ status, result, experiment }: Execution) =>
  ok({ status, result, warns: status === 'finished' && result === 'none', state: experiment.state });

function isAllowed({ status, callback }: Execution, { status: wanted = status, result = 'none' }: Report): boolean {
  if (rank[wanted] < rank[status]) return false;
  if (wanted === 'waiting' && callback.waitTimeout === 0) return false;
  return result === 'none' || wanted !== 'skipped';
}

function accept(world: World, execution: Execution, by: Reporter, sent: Report): void {
  const { status = execution.status, result_values: values, result_log: resultLog } = sent;
  if (values) execution.values = values;
  if (resultLog !== undefined) execution.resultLog = resultLog;
  keepResult(world, execution, sent);
  if (status === execution.status) return;
  if (!isLatest(execution)) world.count('a report on an execution of a superseded action');
  setStatus(execution, status, status === 'skipped' ? 'none' : execution.result);
  // After a person's report, the running worker must stop and no other may start. A worker's lease ends with its last report.
  if (by === 'person' || isResolved(execution)) execution.held = false;
  if (by === 'person' && execution.job === 'may') execution.job = 'no';
  if (isResolved(execution)) endIfDone(world, execution);
}

/** A result can come before the status `finished`. A later one replaces it. */
function keepResult(world: World, execution: Execution, { status, result }: Report): void {
  if (result === undefined) {
    if (status === 'finished' && execution.result !== 'none') world.count('a kept result counts');
    return;
  }
  if (status !== 'finished' && result !== 'none') world.count('a result is kept');
  if (execution.result !== 'none' && execution.result !== result) world.count('a kept result is replaced');
  execution.result = result;
}

/** Clears the result that an earlier attempt, or a report before the first one, has left. */
export function clearResult(world: World, execution: Execution): void {
  if (execution.result !== 'none') world.count('an attempt clears a kept result');
  execution.result = 'none';
}

/** Sets the status. Unless the execution is queued, its job becomes outdated. */
export function setStatus(execution: Execution, status: Status, result: Result = 'none'): void {
  const { runTimeout, waitTimeout } = execution.callback;
  Object.assign(execution, { status, result, retryDue: false });
  if (status === 'running') execution.limited = runTimeout > 0;
  else execution.limited = status === 'waiting' && waitTimeout > 0;
  if (status !== 'queued' && execution.job === 'yes') execution.job = 'may';
}

/** Logs are appended, and values are added where there are none. Nothing else changes. */
function reportLate(world: World, execution: Execution, sent: Report): Expected {
  const { status, result, values, resultLog } = execution;
  const stored: Report = { status, result, result_values: values };
  const names = (['status', 'result', 'result_values'] as const).filter(
    (name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], stored[name]),
  );
  const log = sent.result_log === resultLog ? '' : (sent.result_log ?? '');
  if (names.some((name) => name !== 'result_values' || Object.keys(values).length > 0)) {
    world.count('a late report is rejected');
    return rejected(409, 'already_resolved');
  }
  if (names.length === 0 && log === '') world.count('a late report with the same values');
  if (names.length > 0) world.count('a late report adds missing values');
  if (log !== '') world.count('a late report is appended to a log');
  if (names.length > 0) execution.values = sent.result_values ?? {};
  execution.resultLog += log;
  return shown(execution);
}
