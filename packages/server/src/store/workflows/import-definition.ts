/**
 * Reads and writes workflows, states, callbacks and transitions for imports. Each write is one statement for all rows of its
 * kind, because a definition can have thousands of them and the workflow is locked during the import.
 */
import type { StateLook } from '@milepost/definitions';
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { isNotWithdrawn } from '../study/withdrawals.ts';
import { lookColumns } from './state-look.ts';

export interface WorkflowHead {
  id: number;
  label: string;
  revision: number;
  initial_state_id: number | null;
}

const selectHead = (db: Db, label: string) =>
  db
    .selectFrom('workflows')
    .select(['workflows.id', 'workflows.label', 'workflows.revision', 'workflows.initial_state_id'])
    .where('workflows.label', '=', label);

export const findWorkflowHead = (db: Db, label: string): Promise<WorkflowHead | undefined> =>
  selectHead(db, label).executeTakeFirst();

/** Blocks moves and changes of this workflow until the end of the transaction. */
export const lockWorkflowHead = (tx: Tx, label: string): Promise<WorkflowHead | undefined> =>
  selectHead(tx, label).forUpdate().executeTakeFirst();

/** Undefined if another transaction created it first. */
export async function insertWorkflow(tx: Tx, label: string): Promise<WorkflowHead | undefined> {
  return tx
    .insertInto('workflows')
    .values({ label })
    .onConflict((conflict) => conflict.constraint('workflows_label_unique').doNothing())
    .returning(['workflows.id', 'workflows.label', 'workflows.revision', 'workflows.initial_state_id'])
    .executeTakeFirst();
}

export async function updateWorkflow(
  tx: Tx,
  id: number,
  { revision, initialStateId }: { revision: number; initialStateId: number },
): Promise<void> {
  await tx
    .updateTable('workflows')
    .set((workflow) => ({ revision, initial_state_id: initialStateId, version: workflow('version', '+', 1) }))
    .where('workflows.id', '=', id)
    .execute();
}

export interface RevisionRow {
  workflow_id: number;
  revision: number;
  definition: string;
  definition_hash: string;
  author_id: number | null;
}

export async function insertRevision(tx: Tx, row: RevisionRow): Promise<void> {
  await tx.insertInto('workflow_revisions').values(row).execute();
}

/** Includes retired ones. */
export const listDefinedStates = (db: Db, workflowId: number) =>
  db
    .selectFrom('states')
    .select(['states.id', 'states.label', 'states.freetext', 'states.position', 'states.retired'])
    .select(lookColumns)
    .where('states.workflow_id', '=', workflowId)
    .orderBy('states.id')
    .execute();

/** Includes retired ones. */
export const listDefinedTransitions = (db: Db, workflowId: number) =>
  db
    .selectFrom('transitions')
    .select(['transitions.id', 'transitions.source_state_id', 'transitions.destination_state_id'])
    .select(['transitions.ordinal', 'transitions.position', 'transitions.condition', 'transitions.by'])
    .select(['transitions.title', 'transitions.retired'])
    .where('transitions.workflow_id', '=', workflowId)
    .where('transitions.kind', '=', 'defined')
    .orderBy('transitions.id')
    .execute();

export interface StateValues extends StateLook {
  label: string;
  freetext: string;
  position: number;
}

/** As JSON, because it has many columns that are mostly null. */
const givenStates = (states: readonly StateValues[]) => sql`json_to_recordset(${JSON.stringify(states)}::json) as given
  (id bigint, label text, freetext text, position integer, title text, colour text, outcome text, decision json)`;

/** Returns the ids by label. */
export async function insertStates(tx: Tx, workflowId: number, states: readonly StateValues[]) {
  if (states.length === 0) return new Map<string, number>();
  const { rows } = await sql<{ id: number; label: string }>`
    insert into states (workflow_id, label, freetext, position, title, colour, outcome, decision)
    select ${workflowId}, given.label, given.freetext, given.position, given.title, given.colour, given.outcome, given.decision
    from ${givenStates(states)}
    order by given.position
    returning states.id, states.label`.execute(tx);
  return new Map(rows.map(({ id, label }) => [label, id]));
}

/** Also reactivates retired ones. */
export async function updateStates(tx: Tx, states: readonly (StateValues & { id: number })[]): Promise<void> {
  if (states.length === 0) return;
  await sql`
    update states
    set freetext = given.freetext, position = given.position, title = given.title, colour = given.colour,
      outcome = given.outcome, decision = given.decision, retired = false, version = states.version + 1
    from ${givenStates(states)}
    where states.id = given.id`.execute(tx);
}

export async function retire(tx: Tx, table: 'states' | 'callbacks' | 'transitions', ids: readonly number[]) {
  if (ids.length === 0) return;
  const versionUpdate = table === 'callbacks' ? sql`` : sql`, version = version + 1`;
  await sql`update ${sql.table(table)} set retired = true${versionUpdate} where id = any(${[...ids]}::bigint[])`.execute(
    tx,
  );
}

export interface TransitionValues {
  source_state_id: number;
  destination_state_id: number;
  ordinal: number;
  position: number;
  condition: string;
  by: string;
  title?: string;
}

export async function insertTransitions(tx: Tx, workflowId: number, rows: readonly TransitionValues[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into transitions (workflow_id, source_state_id, destination_state_id, ordinal, position, condition, by, title)
    select ${workflowId}, given.source, given.destination, given.ordinal, given.position, given.condition, given.by, given.title
    from unnest(
      ${rows.map((row) => row.source_state_id)}::bigint[], ${rows.map((row) => row.destination_state_id)}::bigint[],
      ${rows.map((row) => row.ordinal)}::integer[], ${rows.map((row) => row.position)}::integer[],
      ${rows.map((row) => row.condition)}::text[], ${rows.map((row) => row.by)}::text[],
      ${rows.map((row) => row.title ?? null)}::text[]
    ) with ordinality as given (source, destination, ordinal, position, condition, by, title, place)
    order by given.place`.execute(tx);
}

/** Also reactivates retired ones. */
export async function updateTransitions(
  tx: Tx,
  rows: readonly (Pick<TransitionValues, 'position' | 'condition' | 'by' | 'title'> & { id: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update transitions
    set position = given.position, condition = given.condition, by = given.by, title = given.title, retired = false,
      version = transitions.version + 1
    from unnest(
      ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ position }) => position)}::integer[],
      ${rows.map(({ condition }) => condition)}::text[], ${rows.map(({ by }) => by)}::text[],
      ${rows.map(({ title }) => title ?? null)}::text[]
    ) as given (id, position, condition, by, title)
    where transitions.id = given.id`.execute(tx);
}

/** Creates the transition of new experiments into the initial state. Earlier ones remain, because actions refer to them. */
export async function ensureEntryTransition(tx: Tx, workflowId: number, stateId: number): Promise<void> {
  await sql`
    insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
    values (${workflowId}, 'entry', ${stateId}, ${stateId})
    on conflict on constraint transitions_identity_unique do nothing`.execute(tx);
}

export interface StateCounts {
  state_id: number;
  experiments: number;
  open_executions: number;
}

/** Counts the experiments in each state and the open executions of their latest actions. */
export async function countExperiments(db: Db, stateIds: readonly number[]): Promise<StateCounts[]> {
  if (stateIds.length === 0) return [];
  const { rows } = await sql<StateCounts>`
    select given.state_id,
      (select count(*) from experiments where experiments.state_id = given.state_id and ${isNotWithdrawn}) as experiments,
      (select count(*) from experiments
        join actions on actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
        join callback_executions on callback_executions.action_id = actions.id
        where experiments.state_id = given.state_id
          and callback_executions.status not in ('finished', 'skipped')) as open_executions
    from unnest(${[...stateIds]}::bigint[]) with ordinality as given (state_id, place)
    order by given.place`.execute(db);
  return rows;
}

export interface WorkflowGraph {
  start: number;
  /** The ids of the states that are not retired, in definition order. */
  states: number[];
  edges: [from: number, to: number][];
}

export async function findGraph(db: Db, workflowId: number): Promise<WorkflowGraph | undefined> {
  const { rows } = await sql<WorkflowGraph>`
    select workflows.initial_state_id as start,
      (select coalesce(json_agg(states.id order by states.position, states.id), '[]')
        from states where states.workflow_id = workflows.id and not states.retired) as states,
      (select coalesce(json_agg(json_build_array(transitions.source_state_id, transitions.destination_state_id)
          order by transitions.position, transitions.id), '[]')
        from transitions
        where transitions.workflow_id = workflows.id and transitions.kind = 'defined' and not transitions.retired) as edges
    from workflows where workflows.id = ${workflowId}`.execute(db);
  return rows[0];
}

/** Only if the workflow still has this revision. A later import has its own layout. */
export async function updateLayout(db: Db, workflowId: number, revision: number, layout: object): Promise<void> {
  await db
    .updateTable('workflows')
    .set({ layout: JSON.stringify({ revision, ...layout }) })
    .where('workflows.id', '=', workflowId)
    .where('workflows.revision', '=', revision)
    .execute();
}

/**
 * Workflows without a layout for their revision, or with one that a release without drawings stored. Skips recent imports, whose
 * layout is being computed.
 */
export async function listWithoutLayout(db: Db): Promise<{ id: number; revision: number }[]> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select workflows.id, workflows.revision from workflows join workflow_revisions
      on workflow_revisions.workflow_id = workflows.id and workflow_revisions.revision = workflows.revision
    where ((workflows.layout ->> 'revision')::integer is distinct from workflows.revision
        or not jsonb_exists(workflows.layout, 'drawing'))
      and workflow_revisions.created_at < now() - interval '1 minute'
    order by workflows.id limit 10`.execute(db);
  return rows;
}
