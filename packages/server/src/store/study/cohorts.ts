import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { inScope, type Scope } from '../scope.ts';

export type CohortKey = { id: number } | { label: string };

export interface CohortRow {
  id: number;
  label: string;
  description: string;
  version: number;
}

export const describeCohort = (key: CohortKey) => ('id' in key ? `cohort with id ${key.id}` : `cohort "${key.label}"`);

const selectCohorts = (db: Db, scope: Scope) =>
  db
    .selectFrom('cohorts')
    .select(['cohorts.id', 'cohorts.label', 'cohorts.description', 'cohorts.version'])
    .where(inScope(scope, 'cohorts.id'));

const selectCohort = (db: Db, scope: Scope, key: CohortKey) =>
  'id' in key
    ? selectCohorts(db, scope).where('cohorts.id', '=', key.id)
    : selectCohorts(db, scope).where('cohorts.label', '=', key.label);

export const findCohort = (db: Db, scope: Scope, key: CohortKey): Promise<CohortRow | undefined> =>
  selectCohort(db, scope, key).executeTakeFirst();

export const getCohort = (db: Db, scope: Scope, key: CohortKey): Promise<CohortRow> =>
  selectCohort(db, scope, key).executeTakeFirstOrThrow(() => notFound(describeCohort(key)));

export const findCohorts = async (db: Db, scope: Scope, ids: readonly number[]): Promise<CohortRow[]> =>
  ids.length === 0 ? [] : selectCohorts(db, scope).where('cohorts.id', 'in', ids).execute();

/** Locks the cohort until the end of the transaction. */
export const lockCohort = (tx: Tx, scope: Scope, id: number): Promise<CohortRow> =>
  selectCohort(tx, scope, { id })
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound(describeCohort({ id })));

export const listCohorts = (database: Database, scope: Scope, page: Page) =>
  readList(database, selectCohorts(database.db, scope), { id: 'cohorts.id' }, page);

export async function insertCohort(tx: Tx, values: { label: string; description: string }): Promise<number> {
  const { id } = await tx.insertInto('cohorts').values(values).returning('cohorts.id').executeTakeFirstOrThrow();
  return id;
}

/** Writes the changes and increments the version, even without changes. */
export async function updateCohort(
  tx: Tx,
  id: number,
  changes: { label?: string; description?: string },
): Promise<void> {
  await tx
    .updateTable('cohorts')
    .set((cohort) => ({ ...changes, version: cohort('version', '+', 1) }))
    .where('cohorts.id', '=', id)
    .execute();
}
