import { notFound } from '../errors.ts';
import type { Database, Db } from '../database/connection.ts';
import { readList, type Page } from '../database/read-list.ts';
import { inScope, type Scope } from './scope.ts';

export type ExperimentKey = { id: number } | { subjectId: number; label: string };

export interface ExperimentRow {
  id: number;
  label: string;
  scandate: string | null;
  subject_id: number;
  subject_label: string;
  state_id: number;
  state_label: string;
}

const describeExperiment = (key: ExperimentKey) =>
  'id' in key ? `experiment with the id ${key.id}` : `experiment with the label "${key.label}" of this subject`;

export function getExperiment(db: Db, scope: Scope, key: ExperimentKey): Promise<ExperimentRow> {
  const experiments = db
    .selectFrom('experiments')
    .innerJoin('subjects', 'subjects.id', 'experiments.subject_id')
    .innerJoin('states', 'states.id', 'experiments.state_id')
    .select([
      'experiments.id',
      'experiments.label',
      'experiments.scandate',
      'experiments.subject_id',
      'experiments.state_id',
    ])
    .select(['subjects.label as subject_label', 'states.label as state_label'])
    .where(inScope(scope, 'experiments.cohort_id'));
  const one =
    'id' in key
      ? experiments.where('experiments.id', '=', key.id)
      : experiments.where('experiments.subject_id', '=', key.subjectId).where('experiments.label', '=', key.label);
  return one.executeTakeFirstOrThrow(() => notFound(describeExperiment(key)));
}

/** `subjectId` limits the list to one subject. */
export function listExperiments(database: Database, scope: Scope, { subjectId }: { subjectId: number }, page: Page) {
  const experiments = database.db
    .selectFrom('experiments')
    .select(['experiments.id', 'experiments.label'])
    .where(inScope(scope, 'experiments.cohort_id'));
  const parent = { column: 'experiments.subject_id', id: subjectId };
  return readList(database, experiments, { id: 'experiments.id', parent }, page);
}

/** The variables of an experiment, `{name: value}`. */
export async function readVariables(db: Db, experimentId: number): Promise<Record<string, unknown>> {
  const rows = await db
    .selectFrom('experiment_variables')
    .select(['experiment_variables.name', 'experiment_variables.value'])
    .where('experiment_variables.experiment_id', '=', experimentId)
    .orderBy('experiment_variables.name')
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
