/** Reports on executions (rules 2, 3, 13 and 14). */
import { isDeepStrictEqual } from 'node:util';
import { endIfDone } from './end-action.ts';
import type { Values } from './workflow.ts';
import {
  isLatest,
  isResolved,
  ok,
  refused,
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

/** A person who may decide, whoever has the secret of an attempt, or somebody with a secret of nothing. */
export type Reporter = 'person' | { attempt: number } | 'stranger';

const rank = { created: 0, queued: 1, running: 2, waiting: 3, finished: 4, skipped: 4 };

/** PUT /callback_executions/{id}. */
export function report(world: World, execution: Execution, by: Reporter, sent: Report): Expected {
  if (by === 'stranger') return refused(403, 'wrong_secret');
  if (by !== 'person' && by.attempt !== execution.attempt) {
    world.met('a report of a stale attempt');
    return refused(409, 'stale_attempt');
  }
  if (isResolved(execution)) return reportLate(world, execution, by, sent);
  if (!isAllowed(execution, sent)) return refused(409, 'status_conflict');
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
  if (!isLatest(execution)) world.met('a report on an execution of a superseded action');
  become(execution, status, result);
  // A person decides: whoever runs it is to stop, and nobody is to start. A worker ends with its last report.
  if (by === 'person' || isResolved(execution)) execution.held = false;
  if (by === 'person' && execution.job === 'may') execution.job = 'no';
  if (isResolved(execution)) endIfDone(world, execution);
}

/** Another status. What was due by a job is due no more, unless it still has to start. */
export function become(execution: Execution, status: Status, result: Result = 'none'): void {
  const { runTimeout, waitTimeout } = execution.callback;
  Object.assign(execution, { status, result, again: false });
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
    world.met('a late report that says the same');
    return shown(execution);
  }
  const fillable = differing.every((name) => isEmpty(name, execution));
  if (by === 'person' || !fillable) {
    world.met('a late report that is refused');
    return refused(409, 'already_resolved');
  }
  world.met('a late report that fills in');
  if (sent.result_values) execution.values = sent.result_values;
  if (sent.result_log !== undefined) execution.resultLog = sent.result_log;
  return shown(execution);
}

function isEmpty(name: keyof Report, { values, resultLog }: Execution): boolean {
  if (name === 'result_values') return Object.keys(values).length === 0;
  return name === 'result_log' && resultLog === '';
}
