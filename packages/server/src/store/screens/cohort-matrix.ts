/** Reads the experiments of several subjects with their states and open incidents, in one statement. */
import type { incidentKinds } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isResting } from '../experiments/resting.ts';

export interface MatrixExperiment {
  id: number;
  label: string;
  subject_id: number;
  visit: string;
  workflow_id: number;
  workflow_label: string;
  state_id: number;
  state_label: string;
  incidents: (typeof incidentKinds)[number][];
  waits: 'decision' | 'report' | null;
  overdue: boolean;
  /** The start or end of its latest action. */
  active_at: string | null;
}

const awaitsDecision = sql`(${isResting} and not states.retired and ${hasExits} and ${decides})`;

/** Ordered by id. Needs no scope, because access to a subject includes its experiments. */
export async function readMatrixExperiments(db: Db, subjectIds: readonly number[]): Promise<MatrixExperiment[]> {
  const { rows } = await sql<MatrixExperiment>`
    select experiments.id, experiments.label, subjects.id as subject_id, visit_of(subjects.label, experiments.label) as visit,
      workflows.id as workflow_id, workflows.label as workflow_label, states.id as state_id, states.label as state_label,
      array(
        select incidents.kind from incidents
        where incidents.experiment_id = experiments.id and incidents.closed_at is null order by incidents.kind) as incidents,
      case when ${awaitsDecision} then 'decision' when report.overdue is not null then 'report' end as waits,
      coalesce(case when ${awaitsDecision} then experiments.resting_since + (states.decision ->> 'due')::interval < now()
        else report.overdue end, false) as overdue,
      latest.at::timestamptz(3) as active_at
    from unnest(${[...subjectIds]}::bigint[]) as page (id)
    cross join lateral (select subjects.id, subjects.label from subjects where subjects.id = page.id limit 1) as subjects
    cross join lateral (
      select experiments.* from experiments where experiments.subject_id = page.id offset 0) as experiments
    join states on states.id = experiments.state_id join workflows on workflows.id = experiments.workflow_id
    left join lateral (
      select actions.id, coalesce(actions.end_time, actions.start_time) as at from actions
      where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence limit 1) as latest on true
    left join lateral (
      select bool_or(one.wait_start < now() - interval '24 hours') as overdue from callback_executions as one
      where one.action_id = latest.id and one.status = 'waiting') as report on true
    order by experiments.id`.execute(db);
  return rows;
}
