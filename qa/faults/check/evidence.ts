/** Everything that the checkers look at: the logs of the run, and the database as it was at its end. Plain data. */
import type { Report } from '../../../packages/server/src/bin/history.ts';
import type { Answered, Created, FaultLine, Intent, ReceivedRun } from '../drive/lines.ts';

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
  /** The token of whoever moved it. */
  freetext: string;
  actor_kind: string;
  /** In ms since 1970, as all times. */
  start_time: number;
  end_time: number | null;
}

/** Of the history: entries about the states of experiments. */
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
  /** Of the report that decided it. */
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

/** A callback and the state on whose entering it runs. */
export interface CallbackRow {
  id: number;
  state: string;
}

/** What `milepost verify` says of the database. */
export interface VerifiedHistory extends Report {
  checkpoints: number;
}

export interface Evidence {
  created: readonly Created[];
  intents: readonly Intent[];
  outcomes: readonly Answered[];
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

/** Answers one sentence for each thing that must not be. */
export type Checker = (evidence: Evidence) => string[];

/** The rows by one of their values. */
export function groupBy<T, K>(rows: readonly T[], key: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
