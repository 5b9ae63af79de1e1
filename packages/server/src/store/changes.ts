/**
 * Every change that the engine makes to an experiment, written by one statement: the end of an execution, the end of an
 * action, a new action, or several of them at once (rule 1; specification, section 3). It counts only if experiment and
 * workflow are still what was read; otherwise it writes nothing, and the change is judged anew.
 */
import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import {
  changeExecution,
  endAction,
  followUp,
  setVariables,
  type ActionEnding,
  type ExecutionChange,
} from './changes-of-executions.ts';
import { closeIncidents, openIncident, type IncidentChange } from './changes-of-incidents.ts';
import { insertAction, insertExecutions, supersede, type Entering, type NewAction } from './changes-by-moves.ts';
import { insertRecords, type ChangeRecord } from './changes-record.ts';
import { inScope, type Scope } from './scope.ts';
import { countCreation, countMove } from './state-counts.ts';

export interface Change {
  experimentId: number;
  /** The change counts only if the experiment is still what was read. */
  version: number;
  /** It counts only if the workflow is still of this revision. */
  workflowId: number;
  revision: number;
  /** The state that the experiment was in when it was read. */
  stateId: number;
  execution?: ExecutionChange;
  ending?: ActionEnding;
  incidents?: IncidentChange;
  /** A move, a placement or a retry. */
  action?: NewAction;
  records: readonly ChangeRecord[];
}

export interface Written {
  /** Of the new action, where the change made one. */
  actionId: number | null;
}

/** The workflow's row is shared: an import waits for the moves that read the definition before it, and they for it. */
const shareWorkflow = ({ workflowId, revision }: { workflowId: number; revision: number }) => sql`workflow as (
  select workflows.id from workflows where workflows.id = ${workflowId} and workflows.revision = ${revision} for share)`;

/** All of it or, where something changed since it was read, nothing; then the answer is undefined. */
export async function writeChange(db: Db, change: Change): Promise<Written | undefined> {
  const { execution, ending, incidents, action } = change;
  const parts = [
    shareWorkflow(change),
    sql`clock as materialized (select clock_timestamp() as now)`,
    raiseVersion(change),
    ...(execution ? changeExecution(execution) : []),
    ...(execution?.nextAttemptSeconds === undefined ? [] : [followUp(execution.nextAttemptSeconds)]),
    ...(ending ? [endAction(ending), ...setVariables(ending)] : []),
    ...(incidents ? [closeIncidents(incidents), ...openIncident(incidents)] : []),
    ...(action
      ? [insertAction(action), ...insertExecutions(action), ...supersede(action), ...countMove(change.stateId, action)]
      : [noAction]),
    ...insertRecords(change.records),
  ];
  const { rows } = await sql<Written>`
    with ${sql.join(parts)}
    select (select action.id from action) as "actionId" from moved`.execute(db);
  return rows[0];
}

const noAction = sql`action as (select null::bigint as id where false)`;

const raiseVersion = ({ experimentId, version, action }: Change) => sql`moved as (
  update experiments
  set version = experiments.version + 1${
    action ? sql`, state_id = ${action.destination.id}, action_sequence = experiments.action_sequence + 1` : sql``
  }
  where experiments.id = ${experimentId} and experiments.version = ${version} and exists (select from workflow)
  returning experiments.id, experiments.action_sequence, experiments.cohort_id)`;

export interface Creation extends Entering {
  workflowId: number;
  revision: number;
  /** The cohorts in one of which the subject must be. */
  scope: Scope;
  subjectId: number;
  label: string;
  scandate: string | null;
  records: readonly ChangeRecord[];
}

/**
 * Makes an experiment in the first state of its workflow; undefined where the workflow is not what was read, or the subject
 * has withdrawn or was moved out of the scope.
 */
export async function writeCreation(db: Db, creation: Creation): Promise<number | undefined> {
  const { label, scandate, scope, subjectId } = creation;
  const parts = [
    shareWorkflow(creation),
    sql`clock as materialized (select clock_timestamp() as now)`,
    // Nobody withdraws or changes cohort meanwhile: whoever has just done so is waited for, and seen.
    sql`held as materialized (
      select subjects.id, subjects.cohort_id from subjects
      where subjects.id = ${subjectId} and subjects.withdrawn_at is null and ${inScope(scope, 'subjects.cohort_id')}
      for key share)`,
    sql`moved as (
      insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence)
      select held.id, held.cohort_id, workflow.id, ${creation.destination.id}, ${label}, ${scandate}::timestamp, 1
      from held cross join workflow
      returning experiments.id, experiments.action_sequence, experiments.cohort_id)`,
    insertAction(creation),
    ...insertExecutions(creation),
    countCreation(creation.destination.id),
    ...insertRecords(creation.records),
  ];
  const { rows } = await sql<{ id: number }>`with ${sql.join(parts)} select moved.id from moved`.execute(db);
  return rows[0]?.id;
}
