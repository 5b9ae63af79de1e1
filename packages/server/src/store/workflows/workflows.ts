/** Reads workflows, states and transitions. import-definition.ts writes them. */
import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { lookColumns, type StateLookRow } from './state-look.ts';

export interface WorkflowRow {
  id: number;
  label: string;
  version: number;
}

export type WorkflowKey = { id: number } | { label: string };

const selectWorkflows = (db: Db) =>
  db.selectFrom('workflows').select(['workflows.id', 'workflows.label', 'workflows.version']);

export const describeWorkflow = (key: WorkflowKey) =>
  'id' in key ? `workflow with id ${key.id}` : `workflow "${key.label}"`;

const selectWorkflow = (db: Db, key: WorkflowKey) =>
  'id' in key
    ? selectWorkflows(db).where('workflows.id', '=', key.id)
    : selectWorkflows(db).where('workflows.label', '=', key.label);

export const findWorkflow = (db: Db, key: WorkflowKey): Promise<WorkflowRow | undefined> =>
  selectWorkflow(db, key).executeTakeFirst();

export const getWorkflow = (db: Db, key: WorkflowKey): Promise<WorkflowRow> =>
  selectWorkflow(db, key).executeTakeFirstOrThrow(() => notFound(describeWorkflow(key)));

/** Whether an import has locked the workflow, so that no experiment in it can move. Does not wait for the import. */
export async function isWorkflowLocked(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from workflows where workflows.id = ${id} for key share skip locked`.execute(db);
  return rows.length === 0;
}

/** Whether an import has locked the workflow of one of these experiments. */
export async function isAnyWorkflowLocked(db: Db, experimentIds: readonly number[]): Promise<boolean> {
  const ids = sql`(select experiments.workflow_id from experiments where experiments.id = any(${[...experimentIds]}::bigint[]))`;
  const { rows } = await sql<{ locked: boolean }>`
    with free as materialized (
      select workflows.id from workflows where workflows.id in ${ids} for key share skip locked)
    select exists (${ids} except select free.id from free) as locked`.execute(db);
  return rows[0]?.locked ?? false;
}

export const listWorkflows = (database: Database, page: Page) =>
  readList(database, selectWorkflows(database.db), { id: 'workflows.id' }, page);

export interface StateRow extends StateLookRow {
  id: number;
  label: string;
  freetext: string;
  workflow_id: number;
  workflow_label: string;
  version: number;
}

/** A retired state can only be read by id. With `workflowId`, only in this workflow. */
export type StateKey = { id: number; workflowId?: number } | { label: string; workflowId: number };

export const describeState = (key: StateKey) =>
  'id' in key ? `state with id ${key.id}` : `state "${key.label}" in this workflow`;

function selectState(db: Db, key: StateKey) {
  const states = db
    .selectFrom('states')
    .innerJoin('workflows', 'workflows.id', 'states.workflow_id')
    .select([
      'states.id',
      'states.label',
      'states.freetext',
      'states.workflow_id',
      'states.version',
      'workflows.label as workflow_label',
    ])
    .select(lookColumns);
  const one =
    'id' in key
      ? states.where('states.id', '=', key.id)
      : states.where('states.label', '=', key.label).where('states.retired', '=', false);
  return key.workflowId === undefined ? one : one.where('states.workflow_id', '=', key.workflowId);
}

export const findState = (db: Db, key: StateKey): Promise<StateRow | undefined> =>
  selectState(db, key).executeTakeFirst();

export const getState = (db: Db, key: StateKey): Promise<StateRow> =>
  selectState(db, key).executeTakeFirstOrThrow(() => notFound(describeState(key)));

/** Lists the states of one or all workflows, without retired ones. */
export function listStates(database: Database, { workflowId }: { workflowId?: number }, page: Page) {
  const states = database.db
    .selectFrom('states')
    .select(['states.id', 'states.label'])
    .where('states.retired', '=', false);
  const ofOne = workflowId === undefined ? states : states.where('states.workflow_id', '=', workflowId);
  return readList(database, ofOne, { id: 'states.id' }, page);
}

/** The ids of a workflow's states, with retired ones. Empty if there is no such workflow. */
export async function readStateIds(db: Db, workflowLabel: string): Promise<number[]> {
  const rows = await db
    .selectFrom('states')
    .innerJoin('workflows', 'workflows.id', 'states.workflow_id')
    .select('states.id')
    .where('workflows.label', '=', workflowLabel)
    .orderBy('states.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids of a state's callbacks that are not retired, in definition order. */
export async function readCallbackIds(db: Db, stateId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('callbacks')
    .innerJoin('callback_versions', (join) =>
      join
        .onRef('callback_versions.callback_id', '=', 'callbacks.id')
        .onRef('callback_versions.version', '=', 'callbacks.current_version'),
    )
    .select('callbacks.id')
    .where('callbacks.state_id', '=', stateId)
    .where('callbacks.retired', '=', false)
    .orderBy('callback_versions.position')
    .orderBy('callbacks.id')
    .execute();
  return rows.map((row) => row.id);
}

export interface TransitionRow {
  id: number;
  condition: string;
  title: string | null;
  source_state_id: number;
  source_state_label: string;
  destination_state_id: number;
  destination_state_label: string;
  version: number;
}

/** Reads any transition, including retired ones and those of creations and corrections, because actions refer to them. */
export const getTransition = (db: Db, id: number): Promise<TransitionRow> =>
  db
    .selectFrom('transitions')
    .innerJoin('states as source', 'source.id', 'transitions.source_state_id')
    .innerJoin('states as destination', 'destination.id', 'transitions.destination_state_id')
    .select([
      'transitions.id',
      'transitions.condition',
      'transitions.title',
      'transitions.source_state_id',
      'transitions.destination_state_id',
      'transitions.version',
    ])
    .select(['source.label as source_state_label', 'destination.label as destination_state_label'])
    .where('transitions.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`transition with id ${id}`));

/** Lists the transitions of current definitions. */
export const listTransitions = (database: Database, page: Page) =>
  readList(
    database,
    database.db
      .selectFrom('transitions')
      .select('transitions.id')
      .where('transitions.retired', '=', false)
      .where('transitions.kind', '=', 'defined'),
    { id: 'transitions.id' },
    page,
  );

/** Finds a workflow by label, or the newest one. */
export function findWorkflowRevision(
  db: Db,
  label: string | undefined,
): Promise<{ id: number; revision: number } | undefined> {
  const workflows = db.selectFrom('workflows').select(['workflows.id', 'workflows.revision']);
  const one =
    label === undefined ? workflows.orderBy('workflows.id', 'desc') : workflows.where('workflows.label', '=', label);
  return one.limit(1).executeTakeFirst();
}
