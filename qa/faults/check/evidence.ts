/** The input of the checkers, as plain data: the logs of the run, and the database at its end. */
import type { Report } from '../../../packages/server/src/bin/history.ts';
import type { OutcomeLine, Created, FaultLine, Intent, ReceivedRun } from '../drive/lines.ts';

export interface ExperimentRow {
  id: number;
  state: string;
  action_sequence: number;
}

export interface ActionRow {
  id: number;
  experiment_id: number;
  sequence: number;
  source: string;
  destination: string;
  /** The token of the client's move. */
  freetext: string;
  actor_kind: string;
  /** In ms since 1970, like all times. */
  start_time: number;
  end_time: number | null;
}

/** A history entry about the state of an experiment. */
export interface EntryRow {
  id: number;
  experiment_id: number;
  operation: string;
  from: string | null;
  to: string | null;
  action_id: number | null;
}

export interface ExecutionRow {
  id: number;
  action_id: number;
  callback_id: number;
  function: string;
  status: string;
  result: string;
  created: number;
  run_start: number | null;
  wait_start: number | null;
  finished: number | null;
  attempt: number;
  /** In minutes. */
  run_timeout: number;
  wait_timeout: number;
  /** The token of the recorded report. */
  token: string | null;
}

export interface AttemptRow {
  execution_id: number;
  attempt: number;
  worker: string;
  started_at: number;
  heartbeat_at: number | null;
  ended_at: number | null;
  error: string | null;
}

/** A callback and its state. */
export interface CallbackRow {
  id: number;
  state: string;
}

/** The result of `milepost verify`. */
export interface VerifiedHistory extends Report {
  checkpoints: number;
}

export interface Evidence {
  created: readonly Created[];
  intents: readonly Intent[];
  outcomes: readonly OutcomeLine[];
  runs: readonly ReceivedRun[];
  faults: readonly FaultLine[];
  experiments: readonly ExperimentRow[];
  actions: readonly ActionRow[];
  entries: readonly EntryRow[];
  executions: readonly ExecutionRow[];
  attempts: readonly AttemptRow[];
  callbacks: readonly CallbackRow[];
  history: VerifiedHistory;
}

/** Returns one sentence for each error. */
export type Checker = (evidence: Evidence) => string[];

export function groupBy<T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
