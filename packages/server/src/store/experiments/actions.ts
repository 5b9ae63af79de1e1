import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { lockExperiment } from './experiments.ts';
import { findByExperiments, type RowsByExperiment } from './find-by-experiments.ts';
import { experimentInScope, inScope, type Scope } from '../scope.ts';

export interface ActionRow {
  id: number;
  start_time: string;
  end_time: string | null;
  return_value: string;
  success: boolean;
  freetext: string;
  transition_id: number;
  retry_of: number | null;
  experiment_id: number;
  experiment_label: string;
  cohort_id: number;
  version: number;
}

const selectAction = (db: Db, scope: Scope, id: number) =>
  db
    .selectFrom('actions')
    .innerJoin('experiments', 'experiments.id', 'actions.experiment_id')
    .select(['actions.id', 'actions.start_time', 'actions.end_time', 'actions.return_value', 'actions.success'])
    .select([
      'actions.freetext',
      'actions.transition_id',
      'actions.retry_of',
      'actions.experiment_id',
      'actions.version',
    ])
    .select(['experiments.label as experiment_label', 'experiments.cohort_id'])
    .where('actions.id', '=', id)
    .where(inScope(scope, 'experiments.cohort_id'));

const missing = (id: number) => () => notFound(`action with id ${id}`);

export const getAction = (db: Db, scope: Scope, id: number): Promise<ActionRow> =>
  selectAction(db, scope, id).executeTakeFirstOrThrow(missing(id));

/** Locks the experiment first, in the same order as moves do. */
export async function lockAction(tx: Tx, scope: Scope, id: number): Promise<ActionRow> {
  const { experiment_id: experimentId } = await getAction(tx, scope, id);
  await lockExperiment(tx, scope, experimentId);
  await tx.selectFrom('actions').select('actions.id').where('actions.id', '=', id).forNoKeyUpdate().execute();
  return getAction(tx, scope, id);
}

/** Lists the actions of one experiment, or of all experiments in the scope. */
export function listActions(database: Database, scope: Scope, { experimentId }: { experimentId?: number }, page: Page) {
  const actions = database.db
    .selectFrom('actions')
    .select(['actions.id', 'actions.return_value', 'actions.success'])
    .$if(scope.kind !== 'all', (q) => q.where(experimentInScope(scope, sql`actions.experiment_id`)))
    .$if(experimentId !== undefined, (q) => q.where('actions.experiment_id', '=', experimentId ?? 0));
  const find =
    scope.kind === 'all' || experimentId !== undefined ? {} : { find: findByExperiments(scope, byExperiment) };
  return readList(database, actions, { id: 'actions.id', ...find }, page);
}

const byExperiment: RowsByExperiment = {
  after: (id, limit) => sql`
    select actions.id, actions.experiment_id from actions where actions.id > ${id} order by actions.id limit ${limit}`,
  order: sql`near.id`,
  experimentId: sql`near.experiment_id`,
  ofExperiment: sql`select actions.id from actions where actions.experiment_id = experiments.id`,
};

export async function readExecutionIds(db: Db, actionId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('callback_executions')
    .select('callback_executions.id')
    .where('callback_executions.action_id', '=', actionId)
    .orderBy('callback_executions.id')
    .execute();
  return rows.map((row) => row.id);
}

export type ActionCorrection = Partial<Pick<ActionRow, 'end_time' | 'return_value' | 'success'>>;

export async function updateAction(tx: Tx, id: number, changes: ActionCorrection): Promise<void> {
  await tx
    .updateTable('actions')
    .set((action) => ({ ...changes, version: action('version', '+', 1) }))
    .where('actions.id', '=', id)
    .execute();
}

/** The number of automatic moves within ten minutes and after the last `brake` incident was closed. */
export async function countAutomaticMoves(db: Db, experimentId: number, latest: number): Promise<number> {
  const { rows } = await sql<{ moves: number }>`
    select count(*) as moves from actions
    where actions.experiment_id = ${experimentId} and actions.sequence > ${latest} - 1000 and actions.actor_kind = 'engine'
      and actions.start_time > greatest(now() - interval '10 minutes', (
        select max(incidents.closed_at) from incidents
        where incidents.experiment_id = ${experimentId} and incidents.kind = 'brake'))`.execute(db);
  return rows[0]?.moves ?? 0;
}
