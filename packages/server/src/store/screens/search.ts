/** Searches by label prefix, ordered by label. Each table is read by its own index, only as far as needed. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { startsWith } from './label-prefix.ts';
import { hasMoreToScan, inScope, rowsIn, scanLimit, type Scope } from '../scope.ts';

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

interface SearchRequest {
  prefix: string;
  limit: number;
}

/** The first rows of `from`, ordered by label. */
const first = (table: string, from: RawBuilder<unknown>, where: RawBuilder<boolean>, limit: number) => sql`(
  select ${sql.table(table)}.* from ${from} where ${where}
  order by lower(${sql.ref(`${table}.label`)}), ${sql.ref(`${table}.id`)} limit ${limit}) as found`;

const matching = (table: string, scope: RawBuilder<boolean>, { prefix, limit }: SearchRequest) =>
  first(table, sql.table(table), sql<boolean>`${startsWith(`${table}.label`, prefix)} and ${scope}`, limit);

/** The first matches in all cohorts. */
const inAllCohorts =
  (table: string, { prefix }: SearchRequest) =>
  (limit: number) =>
    first(table, sql.table(table), startsWith(`${table}.label`, prefix), limit);

/** The matches in the scope among the first `scanLimit` matches. */
const matchingNearby = (table: string, scope: RawBuilder<boolean>, request: SearchRequest) =>
  first(
    table,
    sql`(select found.* from ${inAllCohorts(table, request)(scanLimit)}) as ${sql.table(table)}`,
    scope,
    request.limit,
  );

/** The matches among all rows of the scope's cohorts. */
const matchingInCohorts = (table: string, scope: Scope, { prefix, limit }: SearchRequest) => sql`(
  with in_scope as materialized (
    select ${sql.table(table)}.* from ${rowsIn(scope, table, startsWith(`${table}.label`, prefix))})
  select in_scope.* from in_scope order by lower(in_scope.label), in_scope.id limit ${limit}) as found`;

/** Finds the rows first and joins other tables afterwards. */
async function searchIn<R>(
  db: Db,
  table: string,
  scope: Scope,
  request: SearchRequest,
  read: (found: RawBuilder<unknown>) => Promise<{ rows: R[] }>,
): Promise<R[]> {
  const visible = inScope(scope, `${table}.cohort_id`);
  if (scope.kind === 'all') return (await read(matching(table, visible, request))).rows;
  const { rows } = await read(matchingNearby(table, visible, request));
  if (rows.length === request.limit || !(await hasMoreToScan(db, inAllCohorts(table, request)))) return rows;
  return (await read(matchingInCohorts(table, scope, request))).rows;
}

const labelOrder = sql`order by lower(found.label), found.id`;

export const searchExperiments = (db: Db, scope: Scope, prefix: string, limit: number): Promise<FoundExperiment[]> =>
  searchIn(db, 'experiments', scope, { prefix, limit }, (found) =>
    sql<FoundExperiment>`
      select found.id, found.label, subjects.id as subject_id, subjects.label as subject_label,
        states.id as state_id, states.label as state_label
      from ${found}
      join subjects on subjects.id = found.subject_id join states on states.id = found.state_id ${labelOrder}`.execute(
      db,
    ),
  );

export interface FoundSubject extends Found {
  cohort_id: number;
  cohort_label: string;
}

export const searchSubjects = (db: Db, scope: Scope, prefix: string, limit: number): Promise<FoundSubject[]> =>
  searchIn(db, 'subjects', scope, { prefix, limit }, (found) =>
    sql<FoundSubject>`
      select found.id, found.label, cohorts.id as cohort_id, cohorts.label as cohort_label
      from ${found} join cohorts on cohorts.id = found.cohort_id ${labelOrder}`.execute(db),
  );

/** There are some hundred cohorts, so they need no index by label. */
export async function searchCohorts(db: Db, scope: Scope, prefix: string, limit: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select found.id, found.label from ${matching('cohorts', inScope(scope, 'cohorts.id'), { prefix, limit })} ${labelOrder}`.execute(
    db,
  );
  return rows;
}

export interface FoundState extends Found {
  workflow_id: number;
  workflow_label: string;
}

/** Searches the states that are not retired. There are some thousands. */
export async function searchStates(db: Db, prefix: string, limit: number): Promise<FoundState[]> {
  const { rows } = await sql<FoundState>`
    select found.id, found.label, workflows.id as workflow_id, workflows.label as workflow_label
    from ${matching('states', sql<boolean>`not states.retired`, { prefix, limit })}
    join workflows on workflows.id = found.workflow_id ${labelOrder}`.execute(db);
  return rows;
}
