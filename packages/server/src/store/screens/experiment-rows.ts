/** Reads the experiments of a table page by their ids, in three statements. */
import type { executionResults, executionStatuses, incidentKinds } from '@milepost/api';
import { sql } from 'kysely';
import { incidentCause } from '../runs/shown-cause.ts';
import type { Db } from '../../database/connection.ts';

export interface SurroundingsRow {
  experiment_id: number;
  experiment_label: string;
  scandate: string | null;
  subject_id: number;
  subject_label: string;
  cohort_id: number;
  cohort_label: string;
  workflow_id: number;
  workflow_label: string;
  state_id: number;
  state_label: string;
  state_title: string | null;
}

/** The ids and labels of an experiment and of its subject, cohort, workflow and state. */
export const surroundings = sql`
  experiments.id as experiment_id, experiments.label as experiment_label, experiments.scandate,
  subjects.id as subject_id, subjects.label as subject_label, cohorts.id as cohort_id, cohorts.label as cohort_label,
  workflows.id as workflow_id, workflows.label as workflow_label, states.id as state_id, states.label as state_label,
  states.title as state_title`;

export const joinSurroundings = sql`
  join subjects on subjects.id = experiments.subject_id
  join cohorts on cohorts.id = experiments.cohort_id
  join workflows on workflows.id = experiments.workflow_id
  join states on states.id = experiments.state_id`;

export interface ExperimentTableRow extends SurroundingsRow {
  withdrawn_at: string | null;
  action_id: number | null;
  entered_at: string | null;
}

/** Returns the rows in the order of the ids. */
export async function readExperimentRows(db: Db, ids: readonly number[]): Promise<ExperimentTableRow[]> {
  const { rows } = await sql<ExperimentTableRow>`
    select ${surroundings}, subjects.withdrawn_at, latest.id as action_id, case when latest.retry_of is null then latest.start_time else (
        select actions.start_time from actions
        where actions.experiment_id = experiments.id and actions.retry_of is null
        order by actions.sequence desc limit 1) end as entered_at
    from unnest(${ids}::bigint[]) with ordinality as page (id, place)
    join experiments on experiments.id = page.id ${joinSurroundings}
    left join actions as latest
      on latest.experiment_id = experiments.id and latest.sequence = experiments.action_sequence
    order by page.place`.execute(db);
  return rows;
}

export interface RowIncident {
  id: number;
  experiment_id: number;
  kind: (typeof incidentKinds)[number];
  cause: string | null;
  detail: string;
  opened_at: string;
  execution_id: number | null;
}

/** Looks up the open incidents of each experiment. `offset 0` keeps the planner from reading all open incidents. */
export async function readOpenIncidents(db: Db, experimentIds: readonly number[]): Promise<RowIncident[]> {
  const { rows } = await sql<RowIncident>`
    select found.* from unnest(${experimentIds}::bigint[]) as wanted (id) cross join lateral (
      select incidents.id, incidents.experiment_id, incidents.kind, incidents.detail, incidents.opened_at, incidents.execution_id,
        ${incidentCause} as cause
      from incidents
      where incidents.experiment_id = wanted.id and incidents.closed_at is null offset 0) as found
    order by found.id`.execute(db);
  return rows;
}

export interface RowExecution {
  id: number;
  action_id: number;
  callback: string;
  status: (typeof executionStatuses)[number];
  result: (typeof executionResults)[number];
  attempt: number;
  next_attempt_at: string | null;
}

/** In definition order. */
export async function readActionExecutions(db: Db, actionIds: readonly number[]): Promise<RowExecution[]> {
  const { rows } = await sql<RowExecution>`
    select one.id, one.action_id, callback_versions.label as callback, one.status, one.result, one.attempt,
      case when one.status <> 'running' or one.failures > 0 then one.next_attempt_at end as next_attempt_at
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where one.action_id = any(${actionIds}::bigint[])
    order by callback_versions.position, one.id`.execute(db);
  return rows;
}
