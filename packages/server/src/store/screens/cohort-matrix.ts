/** Reads the experiments of several subjects with their states and open incidents, in one statement. */
import type { incidentKinds } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface MatrixExperiment {
  id: number;
  label: string;
  subject_id: number;
  workflow_id: number;
  workflow_label: string;
  state_id: number;
  state_label: string;
  incidents: (typeof incidentKinds)[number][];
}

/** Ordered by id. Needs no scope, because access to a subject includes its experiments. */
export async function readMatrixExperiments(db: Db, subjectIds: readonly number[]): Promise<MatrixExperiment[]> {
  const { rows } = await sql<MatrixExperiment>`
    select experiments.id, experiments.label, experiments.subject_id, workflows.id as workflow_id,
      workflows.label as workflow_label, states.id as state_id, states.label as state_label,
      array(
        select incidents.kind from incidents
        where incidents.experiment_id = experiments.id and incidents.closed_at is null order by incidents.kind) as incidents
    from experiments join states on states.id = experiments.state_id join workflows on workflows.id = experiments.workflow_id
    where experiments.subject_id = any(${subjectIds}::bigint[])
    order by experiments.id`.execute(db);
  return rows;
}
