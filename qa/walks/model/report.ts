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
  if (isResolved(execution)) return reportLate(world, execution, by, sent);
  if (!isAllowed(execution, sent)) return rejected(409, 'status_conflict');
  accept(world, execution, by, sent);
  return shown(execution);
}

const shown = ({ status, result, experiment }: Execution) => ok({ status, result, state: experiment.state });

function isAllowed({ status, callback }: Execution, { status: wanted = status, result = 'none' }: Report): boolean {
  if (rank[wanted] < rank[status]) return false;
  if (wanted === 'waiting' && callback.waitTimeout === 0) return false;
  return result === 'none' || wanted === 'finished';
}

function accept(world: World, execution: Execution, by: Reporter, sent: Report): void {
  const { status = execution.status, result = 'none', result_values: values, result_log: resultLog } = sent;
  if (values) execution.values = values;
  if (resultLog !== undefined) execution.resultLog = resultLog;
  if (status === execution.status) return;
  if (!isLatest(execution)) world.count('a report on an execution of a superseded action');
  setStatus(execution, status, result);
  // After a person's report, the running worker must stop and no other may start. A worker's lease ends with its last report.
  if (by === 'person' || isResolved(execution)) execution.held = false;
  if (by === 'person' && execution.job === 'may') execution.job = 'no';
  if (isResolved(execution)) endIfDone(world, execution);
}

/** Sets the status. Unless the execution is queued, its job becomes outdated. */
export function setStatus(execution: Execution, status: Status, result: Result = 'none'): void {
  const { runTimeout, waitTimeout } = execution.callback;
  Object.assign(execution, { status, result, retryDue: false });
  if (status === 'running') execution.limited = runTimeout > 0;
  else execution.limited = status === 'waiting' && waitTimeout > 0;
  if (status !== 'queued' && execution.job === 'yes') execution.job = 'may';
}

function reportLate(world: World, execution: Execution, by: Reporter, sent: Report): Expected {
  const { status, result, values: result_values, resultLog: result_log } = execution;
  const stored = { status, result, result_values, result_log };
  const names = Object.keys(sent) as (keyof Report)[];
  const differing = names.filter((name) => !isDeepStrictEqual(sent[name], stored[name]));
  if (differing.length === 0) {
    world.count('a late report with the same values');
    return shown(execution);
  }
  const fillable = differing.every((name) => isEmpty(name, execution));
  if (by === 'person' || !fillable) {
    world.count('a late report is rejected');
    return rejected(409, 'already_resolved');
  }
  world.count('a late report fills in missing values');
  if (sent.result_values) execution.values = sent.result_values;
  if (sent.result_log !== undefined) execution.resultLog = sent.result_log;
  return shown(execution);
}

function isEmpty(name: keyof Report, { values, resultLog }: Execution): boolean {
  if (name === 'result_values') return Object.keys(values).length === 0;
  return name === 'result_log' && resultLog === '';
}
