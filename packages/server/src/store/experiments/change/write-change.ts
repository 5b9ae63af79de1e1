/**
 * Writes every change that the engine makes to an experiment in one statement: a changed execution, the end of an action, a
 * new action, or several of them (rule 1; specification, section 3). If the experiment or the workflow has changed since it
 * was read, the statement writes nothing and the engine evaluates the change again.
 */
import { sql } from 'kysely';
import type { Db } from '../../../database/connection.ts';
import { endActionSql, setVariablesSql, type ActionEnding } from './end-action.ts';
import { nextAttemptSql, updateExecutionSql, type ExecutionChange } from './update-execution.ts';
import { closeIncidentsSql, openIncidentSql, type IncidentChange } from './change-incidents.ts';
import { insertActionSql, insertExecutionsSql, supersedeSql, type StateEntry, type NewAction } from './enter-state.ts';
import { insertRecordsSql, type ChangeRecord } from './change-records.ts';
import { inScope, type Scope } from '../../scope.ts';
import { countCreationSql, countMoveSql } from '../state-counts.ts';

export interface Change {
  experimentId: number;
  /** The version that was read. Nothing is written if it has changed. */
  version: number;
  workflowId: number;
  /** The revision that was read. Nothing is written if it has changed. */
  revision: number;
  /** The state that was read. */
  stateId: number;
  execution?: ExecutionChange;
  ending?: ActionEnding;
  incidents?: IncidentChange;
  /** A move, a correction or a retry. */
  action?: NewAction;
  records: readonly ChangeRecord[];
}

export interface Written {
  /** The id of the new action, if there is one. */
  actionId: number | null;
}

/**
 * A shared lock on the workflow: an import waits for moves. If an import has the lock, the statement does not wait for it with
 * its connection, but writes nothing.
 */
const shareWorkflow = ({ workflowId, revision }: { workflowId: number; revision: number }) => sql`workflow as (
  select workflows.id from workflows where workflows.id = ${workflowId} and workflows.revision = ${revision}
  for share skip locked)`;

/** Nothing was written because an import has locked or changed the workflow. */
export type Locked = 'locked';

/** Returns undefined and writes nothing if the experiment has changed since it was read. */
export async function writeChange(db: Db, change: Change): Promise<Written | Locked | undefined> {
  const { execution, ending, incidents, action } = change;
  const parts = [
    shareWorkflow(change),
    sql`clock as materialized (select clock_timestamp() as now)`,
    raiseVersion(change),
    ...(execution ? updateExecutionSql(execution) : []),
    ...(execution ? nextAttemptSql(execution) : []),
    ...(ending ? [endActionSql(ending), ...setVariablesSql(ending)] : []),
    ...(incidents ? [closeIncidentsSql(incidents), ...openIncidentSql(incidents)] : []),
    ...(action
      ? [
          insertActionSql(action),
          ...insertExecutionsSql(action),
          ...supersedeSql(action),
          ...countMoveSql(change.stateId, action),
        ]
      : [noAction]),
    ...insertRecordsSql(change.records),
  ];
  const { rows } = await sql<Written & Outcome>`
    with ${sql.join(parts)}
    select ${outcome}, (select action.id from action) as "actionId"`.execute(db);
  const [row] = rows;
  if (!row?.shared) return 'locked';
  return row.id === null ? undefined : { actionId: row.actionId };
}

interface Outcome {
  /** Whether the statement got the shared lock. */
  shared: boolean;
  /** The experiment, if it was written. */
  id: number | null;
}

const outcome = sql`exists (select from workflow) as shared, (select moved.id from moved) as id`;

const noAction = sql`action as (select null::bigint as id where false)`;

const raiseVersion = ({ experimentId, version, action }: Change) => sql`moved as (
  update experiments
  set version = experiments.version + 1${
    action ? sql`, state_id = ${action.destination.id}, action_sequence = experiments.action_sequence + 1` : sql``
  }
  where experiments.id = ${experimentId} and experiments.version = ${version} and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id, experiments.subject_id,
    experiments.workflow_id)`;

export interface Creation extends StateEntry {
  workflowId: number;
  revision: number;
  /** The cohort of the subject must be in this scope. */
  scope: Scope;
  subjectId: number;
  label: string;
  scandate: string | null;
  records: readonly ChangeRecord[];
}

/**
 * Creates an experiment in the initial state of its workflow. Returns undefined if the subject has withdrawn or left the scope.
 */
export async function writeCreation(db: Db, creation: Creation): Promise<number | Locked | undefined> {
  const { label, scandate, scope, subjectId } = creation;
  const parts = [
    shareWorkflow(creation),
    sql`clock as materialized (select clock_timestamp() as now)`,
    // Locks the subject, so that it cannot withdraw or change its cohort. Waits for a change in progress and sees its result.
    sql`locked as materialized (
      select subjects.id, subjects.cohort_id from subjects
      where subjects.id = ${subjectId} and subjects.withdrawn_at is null and ${inScope(scope, 'subjects.cohort_id')}
      for key share)`,
    sql`moved as (
      insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence)
      select locked.id, locked.cohort_id, workflow.id, ${creation.destination.id}, ${label}, ${scandate}::timestamp, 1
      from locked cross join workflow
      returning experiments.id, experiments.action_sequence, experiments.cohort_id, experiments.workflow_id)`,
    insertActionSql(creation),
    ...insertExecutionsSql(creation),
    countCreationSql(creation.destination.id),
    ...insertRecordsSql(creation.records),
  ];
  const { rows } = await sql<Outcome>`with ${sql.join(parts)} select ${outcome}`.execute(db);
  const [row] = rows;
  return row?.shared ? (row.id ?? undefined) : 'locked';
}
