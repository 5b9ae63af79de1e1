/** What has a label that begins so, in the order of labels: each read by its own index, and no further than is shown. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { startsWith } from './label-prefix.ts';
import { inScope, type Scope } from './scope.ts';

export interface Found {
  id: number;
  label: string;
}

export interface FoundExperiment extends Found {
  subject_id: number;
  subject_label: string;
  state_id: number;
  state_label: string;
}

/** The rows of a table that begin so. They are found first, and joined to what is shown with them afterwards. */
const beginning = (table: string, prefix: string, where: RawBuilder<boolean>, limit: number) => sql`(
  select ${sql.table(table)}.* from ${sql.table(table)}
  where ${startsWith(`${table}.label`, prefix)} and ${where}
  order by lower(${sql.ref(`${table}.label`)}), ${sql.ref(`${table}.id`)} limit ${limit}) as found`;

const inOrder = sql`order by lower(found.label), found.id`;

export async function searchExperiments(
  db: Db,
  scope: Scope,
  prefix: string,
  limit: number,
): Promise<FoundExperiment[]> {
  const { rows } = await sql<FoundExperiment>`
    select found.id, found.label, subjects.id as subject_id, subjects.label as subject_label,
      states.id as state_id, states.label as state_label
    from ${beginning('experiments', prefix, inScope(scope, 'experiments.cohort_id'), limit)}
    join subjects on subjects.id = found.subject_id join states on states.id = found.state_id ${inOrder}`.execute(db);
  return rows;
}

export interface FoundSubject extends Found {
  cohort_id: number;
  cohort_label: string;
}

export async function searchSubjects(db: Db, scope: Scope, prefix: string, limit: number): Promise<FoundSubject[]> {
  const { rows } = await sql<FoundSubject>`
    select found.id, found.label, cohorts.id as cohort_id, cohorts.label as cohort_label
    from ${beginning('subjects', prefix, inScope(scope, 'subjects.cohort_id'), limit)}
    join cohorts on cohorts.id = found.cohort_id ${inOrder}`.execute(db);
  return rows;
}

/** Cohorts are some hundreds, which are read without an index of their own. */
export async function searchCohorts(db: Db, scope: Scope, prefix: string, limit: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select found.id, found.label from ${beginning('cohorts', prefix, inScope(scope, 'cohorts.id'), limit)} ${inOrder}`.execute(
    db,
  );
  return rows;
}

export interface FoundState extends Found {
  workflow_id: number;
  workflow_label: string;
}

/** Living states, of which there are some thousands. */
export async function searchStates(db: Db, prefix: string, limit: number): Promise<FoundState[]> {
  const { rows } = await sql<FoundState>`
    select found.id, found.label, workflows.id as workflow_id, workflows.label as workflow_label
    from ${beginning('states', prefix, sql<boolean>`not states.retired`, limit)}
    join workflows on workflows.id = found.workflow_id ${inOrder}`.execute(db);
  return rows;
}
