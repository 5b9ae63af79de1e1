/**
 * Lists callback executions by status and result. The index of the filter is scanned in the order of the ids, and the scope and
 * the rest of the filter are checked for each row. Almost all executions are finished, most of them with success, so those are
 * found along the ids.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { scanStep, type FindStep } from '../../database/stepwise-list.ts';
import { findByExperiments, type RowsByExperiment } from '../experiments/find-by-experiments.ts';
import { inScope, scanLimit, type Scope } from '../scope.ts';
import type { ExecutionRow } from './executions.ts';

export interface ExecutionFilter {
  status?: ExecutionRow['status'];
  result?: ExecutionRow['result'];
}

export function listExecutions(database: Database, scope: Scope, filter: ExecutionFilter, page: Page) {
  const executions = database.db
    .selectFrom('callback_executions')
    .innerJoin('actions', 'actions.id', 'callback_executions.action_id')
    .innerJoin('experiments', 'experiments.id', 'actions.experiment_id')
    .innerJoin('callback_versions', (join) =>
      join
        .onRef('callback_versions.callback_id', '=', 'callback_executions.callback_id')
        .onRef('callback_versions.version', '=', 'callback_executions.callback_version'),
    )
    .select(['callback_executions.id', 'callback_executions.callback_id', 'callback_versions.label as callback_label'])
    .select(['experiments.id as experiment_id', 'experiments.label as experiment_label'])
    .select(['callback_executions.status', 'callback_executions.result', 'callback_executions.created'])
    .select(['callback_executions.run_start', 'callback_executions.finished', 'callback_executions.attempt'])
    .where(matches('callback_executions', filter))
    .where(inScope(scope, 'experiments.cohort_id'));
  return readList(database, executions, { id: 'callback_executions.id', find: findExecutions(scope, filter) }, page);
}

function findExecutions(scope: Scope, filter: ExecutionFilter): FindStep {
  const rows = rowsOf(filter);
  if (scope.kind !== 'all') return findByExperiments(scope, rows);
  return (run, { after, limit }) =>
    scanStep(run, limit, {
      near: rows.after(after, scanLimit),
      scanLimit,
      order: rows.order,
      where: rows.matches,
    });
}

const rowsOf = (filter: ExecutionFilter): Required<RowsByExperiment> => {
  const { before = sql``, from = sql`callback_executions`, where, order } = leaderOf(filter);
  return {
    after: (id, limit) => sql`
      ${before} select one.id, one.action_id, one.status, one.result from ${from} as one
      where ${where(id)} order by ${order('one')} limit ${limit}`,
    order: order('near'),
    experimentId: sql`(select actions.experiment_id from actions where actions.id = near.action_id)`,
    matches: matches('near', filter),
    ofExperiment: sql`
      select one.id from actions join callback_executions as one on one.action_id = actions.id
      where actions.experiment_id = experiments.id and ${matches('one', filter)}`,
  };
};

interface Leader {
  before?: RawBuilder<unknown>;
  from?: RawBuilder<unknown>;
  where: (after: number) => RawBuilder<unknown>;
  order: (alias: string) => RawBuilder<unknown>;
}

/** The index to scan. Statuses and results are literals, so that the partial indexes apply to every plan. */
function leaderOf({ status, result }: ExecutionFilter): Leader {
  if (status === 'running' || status === 'waiting') return byOpenStatus(status);
  if (status === 'created' || status === 'queued') return byUnclaimed(status);
  if (status === 'skipped') return byResult('skipped', 'none');
  const isRare = status === 'finished' && result !== undefined && result !== 'success';
  return isRare ? byResult(status, result) : byId;
}

const byId: Leader = {
  where: (after) => sql`one.id > ${after}`,
  order: (alias) => sql.ref(`${alias}.id`),
};

const byOpenStatus = (status: 'running' | 'waiting'): Leader => ({
  where: (after) => sql`one.status in ('running', 'waiting')
    and (one.status, one.id) > (${sql.lit(status)}, ${after}) and one.status <= ${sql.lit(status)}`,
  order: (alias) => sql`${sql.ref(`${alias}.status`)}, ${sql.ref(`${alias}.id`)}`,
});

/** A backlog has at most some 100,000 executions, which are sorted. Their index has the order of their creation. */
const byUnclaimed = (status: 'created' | 'queued'): Leader => ({
  ...byId,
  before: sql`with unclaimed as materialized (
    select callback_executions.id, callback_executions.action_id, callback_executions.status, callback_executions.result
    from callback_executions where callback_executions.status = ${sql.lit(status)})`,
  from: sql`unclaimed`,
});

const byResult = (status: 'finished' | 'skipped', result: 'none' | 'failed' | 'timeout'): Leader => {
  const [ofStatus, ofResult] = [sql.lit(status), sql.lit(result)];
  return {
    where: (after) => sql`one.status in ('finished', 'skipped') and one.result <> 'success'
      and (one.status, one.result, one.id) > (${ofStatus}, ${ofResult}, ${after})
      and (one.status, one.result) <= (${ofStatus}, ${ofResult})`,
    order: (alias) =>
      sql.join(
        ['status', 'result', 'id'].map((column) => sql.ref(`${alias}.${column}`)),
        sql`, `,
      ),
  };
};

const matches = (alias: string, { status, result }: ExecutionFilter): RawBuilder<boolean> =>
  sql<boolean>`${status === undefined ? sql`true` : sql`${sql.ref(`${alias}.status`)} = ${sql.lit(status)}`}
    and ${result === undefined ? sql`true` : sql`${sql.ref(`${alias}.result`)} = ${sql.lit(result)}`}`;
