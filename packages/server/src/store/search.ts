/** What has a label that begins so, in the order of labels: each read by its own index, and no further than is shown. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { startsWith } from './label-prefix.ts';
import { goesBeyondLooks, inScope, looks, rowsIn, type Scope } from './scope.ts';

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

interface Wanted {
  prefix: string;
  limit: number;
}

/** The rows of a table that begin so, of those that `from` has. */
const first = (table: string, from: RawBuilder<unknown>, where: RawBuilder<boolean>, limit: number) => sql`(
  select ${sql.table(table)}.* from ${from} where ${where}
  order by lower(${sql.ref(`${table}.label`)}), ${sql.ref(`${table}.id`)} limit ${limit}) as found`;

const beginning = (table: string, scope: RawBuilder<boolean>, { prefix, limit }: Wanted) =>
  first(table, sql.table(table), sql<boolean>`${startsWith(`${table}.label`, prefix)} and ${scope}`, limit);

/** The first that anybody has. */
const anybodys =
  (table: string, { prefix }: Wanted) =>
  (most: number) =>
    first(table, sql.table(table), startsWith(`${table}.label`, prefix), most);

/** The same, among those. */
const beginningNearby = (table: string, scope: RawBuilder<boolean>, wanted: Wanted) =>
  first(
    table,
    sql`(select found.* from ${anybodys(table, wanted)(looks)}) as ${sql.table(table)}`,
    scope,
    wanted.limit,
  );

/** The same, among all that the cohorts have. */
const beginningIn = (table: string, scope: Scope, { prefix, limit }: Wanted) => sql`(
  with mine as materialized (
    select ${sql.table(table)}.* from ${rowsIn(scope, table, startsWith(`${table}.label`, prefix))})
  select mine.* from mine order by lower(mine.label), mine.id limit ${limit}) as found`;

/** Rows are found first, and joined to what is shown with them afterwards. */
async function searchIn<R>(
  db: Db,
  table: string,
  scope: Scope,
  wanted: Wanted,
  read: (found: RawBuilder<unknown>) => Promise<{ rows: R[] }>,
): Promise<R[]> {
  const seen = inScope(scope, `${table}.cohort_id`);
  if (scope.kind === 'all') return (await read(beginning(table, seen, wanted))).rows;
  const { rows } = await read(beginningNearby(table, seen, wanted));
  if (rows.length === wanted.limit || !(await goesBeyondLooks(db, anybodys(table, wanted)))) return rows;
  return (await read(beginningIn(table, scope, wanted))).rows;
}

const inOrder = sql`order by lower(found.label), found.id`;

export const searchExperiments = (db: Db, scope: Scope, prefix: string, limit: number): Promise<FoundExperiment[]> =>
  searchIn(db, 'experiments', scope, { prefix, limit }, (found) =>
    sql<FoundExperiment>`
      select found.id, found.label, subjects.id as subject_id, subjects.label as subject_label,
        states.id as state_id, states.label as state_label
      from ${found}
      join subjects on subjects.id = found.subject_id join states on states.id = found.state_id ${inOrder}`.execute(db),
  );

export interface FoundSubject extends Found {
  cohort_id: number;
  cohort_label: string;
}

export const searchSubjects = (db: Db, scope: Scope, prefix: string, limit: number): Promise<FoundSubject[]> =>
  searchIn(db, 'subjects', scope, { prefix, limit }, (found) =>
    sql<FoundSubject>`
      select found.id, found.label, cohorts.id as cohort_id, cohorts.label as cohort_label
      from ${found} join cohorts on cohorts.id = found.cohort_id ${inOrder}`.execute(db),
  );

/** Cohorts are some hundreds, which are read without an index of their own. */
export async function searchCohorts(db: Db, scope: Scope, prefix: string, limit: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select found.id, found.label from ${beginning('cohorts', inScope(scope, 'cohorts.id'), { prefix, limit })} ${inOrder}`.execute(
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
    from ${beginning('states', sql<boolean>`not states.retired`, { prefix, limit })}
    join workflows on workflows.id = found.workflow_id ${inOrder}`.execute(db);
  return rows;
}
