/** Roles assigned for individual cohorts. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';

export interface CohortRoleKey {
  user_id: number;
  role_id: number;
  cohort_id: number;
}

/** Returns whether the role was not assigned before. */
export async function insertCohortRole(tx: Tx, key: CohortRoleKey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('cohort_roles')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Assigns a role of a new user in several cohorts. */
export async function insertCohortRoles(
  tx: Tx,
  { user_id, role_id, cohort_ids }: { user_id: number; role_id: number; cohort_ids: readonly number[] },
): Promise<void> {
  const rows = cohort_ids.map((cohort_id) => ({ user_id, role_id, cohort_id }));
  await tx.insertInto('cohort_roles').values(rows).execute();
}

/** Returns whether the role was assigned. */
export async function deleteCohortRole(tx: Tx, key: CohortRoleKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('cohort_roles')
    .where('cohort_roles.user_id', '=', key.user_id)
    .where('cohort_roles.role_id', '=', key.role_id)
    .where('cohort_roles.cohort_id', '=', key.cohort_id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export interface AssignedRoleRow {
  role_id: number;
  role_name: string;
  /** Null for all cohorts. */
  cohort: { id: number; label: string } | null;
}

/** Roles for all cohorts come first. */
export async function readAssignedRoles(db: Db, userId: number): Promise<AssignedRoleRow[]> {
  const forAllCohorts = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['roles.id as role_id', 'roles.name as role_name'])
    .where('user_roles.user_id', '=', userId)
    .orderBy('roles.id')
    .execute();
  const forCohorts = await db
    .selectFrom('cohort_roles')
    .innerJoin('roles', 'roles.id', 'cohort_roles.role_id')
    .innerJoin('cohorts', 'cohorts.id', 'cohort_roles.cohort_id')
    .select(['roles.id as role_id', 'roles.name as role_name', 'cohorts.id as cohort_id', 'cohorts.label'])
    .where('cohort_roles.user_id', '=', userId)
    .orderBy('roles.id')
    .orderBy('cohorts.id')
    .execute();
  return [
    ...forAllCohorts.map((row) => ({ ...row, cohort: null })),
    ...forCohorts.map(({ cohort_id: id, label, ...role }) => ({ ...role, cohort: { id, label } })),
  ];
}

export async function readCohortLabels(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; label: string }>`
    select cohorts.id, cohorts.label from cohorts where cohorts.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, label }) => [id, label]));
}
