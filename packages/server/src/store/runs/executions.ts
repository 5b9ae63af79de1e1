/** Reads callback executions. Each part of the response is read only if it is requested. */
import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { findByExperiments, type RowsByExperiment } from '../experiments/find-by-experiments.ts';
import { experimentInScope, inScope, type Scope } from '../scope.ts';

export interface ExecutionRow {
  id: number;
  action_id: number;
  callback_id: number;
  callback_version: number;
  experiment_id: number;
  experiment_label: string;
  subject_id: number;
  subject_label: string;
  cohort_id: number;
  status: 'created' | 'queued' | 'running' | 'waiting' | 'finished' | 'skipped';
  result: 'none' | 'success' | 'failed' | 'timeout';
  created: string;
  run_start: string | null;
  wait_start: string | null;
  finished: string | null;
  attempt: number;
  next_attempt_at: string | null;
  last_error: string | null;
  version: number;
}

/** Without logs and result values, which can be large. */
export const getExecution = (db: Db, scope: Scope, id: number): Promise<ExecutionRow> =>
  db
    .selectFrom('callback_executions')
    .innerJoin('actions', 'actions.id', 'callback_executions.action_id')
    .innerJoin('experiments', 'experiments.id', 'actions.experiment_id')
    .innerJoin('subjects', 'subjects.id', 'experiments.subject_id')
    .select(['callback_executions.id', 'callback_executions.action_id', 'callback_executions.callback_id'])
    .select(['callback_executions.callback_version', 'callback_executions.status', 'callback_executions.result'])
    .select(['callback_executions.created', 'callback_executions.run_start', 'callback_executions.wait_start'])
    .select(['callback_executions.finished', 'callback_executions.attempt', 'callback_executions.next_attempt_at'])
    .select([
      'callback_executions.version',
      'callback_executions.last_error',
      'experiments.id as experiment_id',
      'experiments.cohort_id',
    ])
    .select(['experiments.label as experiment_label', 'subjects.id as subject_id', 'subjects.label as subject_label'])
    .where('callback_executions.id', '=', id)
    .where(inScope(scope, 'experiments.cohort_id'))
    .executeTakeFirstOrThrow(() => notFound(`callback execution with id ${id}`));

export interface ExecutionOutput {
  run_log: string;
  result_log: string;
  result_values: Record<string, unknown>;
}

/** Lists all executions of a callback in all its versions. */
export function listCallbackExecutions(database: Database, scope: Scope, callbackId: number, page: Page) {
  const executions = database.db
    .selectFrom('callback_executions')
    .select('callback_executions.id')
    .$if(scope.kind !== 'all', (q) =>
      q.where(experimentInScope(scope, experimentOf(sql`callback_executions.action_id`))),
    );
  const leading =
    scope.kind === 'all'
      ? { parent: { column: 'callback_executions.callback_id', id: callbackId } }
      : { find: findByExperiments(scope, byExperiment(callbackId)) };
  return readList(database, executions, { id: 'callback_executions.id', ...leading }, page);
}

const experimentOf = (actionId: RawBuilder<unknown>) => sql`(
  select actions.experiment_id from actions where actions.id = ${actionId})`;

const byExperiment = (callbackId: number): RowsByExperiment => ({
  after: (id, limit) => sql`
    select callback_executions.callback_id, callback_executions.id, callback_executions.action_id from callback_executions
    where (callback_executions.callback_id, callback_executions.id) > (${callbackId}, ${id})
      and callback_executions.callback_id <= ${callbackId}
    order by callback_executions.callback_id, callback_executions.id limit ${limit}`,
  order: sql`near.callback_id, near.id`,
  experimentId: experimentOf(sql`near.action_id`),
  ofExperiment: sql`
    select callback_executions.id from actions join callback_executions on callback_executions.action_id = actions.id
    where actions.experiment_id = experiments.id and callback_executions.callback_id = ${callbackId}`,
});

export interface AttemptRow {
  /** The number of the attempt. */
  id: number;
  worker: string;
  started_at: string;
  heartbeat_at: string | null;
  ended_at: string | null;
  error: string | null;
  log: string;
}

/**
 * Needs no scope, because access to an execution includes its attempts. Secrets are never read. `log_from` is the number of characters
 * that the reader has.
 */
export function listAttempts(database: Database, executionId: number, page: Page & { log_from?: number }) {
  const attempts = database.db
    .selectFrom('execution_attempts')
    .select(['execution_attempts.attempt as id', 'execution_attempts.worker', 'execution_attempts.started_at'])
    .select(['execution_attempts.heartbeat_at', 'execution_attempts.ended_at', 'execution_attempts.error'])
    .select(sql<string>`substr(execution_attempts.log, ${(page.log_from ?? 0) + 1}::integer)`.as('log'));
  const parent = { column: 'execution_attempts.execution_id', id: executionId };
  return readList(database, attempts, { id: 'execution_attempts.attempt', parent }, page);
}
