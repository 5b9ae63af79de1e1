import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

/** Has every permission, including future ones. */
export const adminRole = 'admin';
/** The role of new users, unless others are given. */
export const defaultRole = 'user';

export interface RoleRow {
  id: number;
  name: string;
  description: string;
  permissions: string[];
  update_datetime: string;
  version: number;
}

const selectRoles = (db: Db) =>
  db
    .selectFrom('roles')
    .select(['roles.id', 'roles.name', 'roles.description', 'roles.permissions', 'roles.update_datetime'])
    .select('roles.version');

export const getRole = (db: Db, id: number): Promise<RoleRow> =>
  selectRoles(db)
    .where('roles.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`role with id ${id}`));

export const findRole = (db: Db, name: string): Promise<RoleRow | undefined> =>
  selectRoles(db).where('roles.name', '=', name).executeTakeFirst();

/** By name. */
export async function findRoles(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, RoleRow>> {
  const rows = await selectRoles(db)
    .where('roles.name', '=', sql<string>`any(${[...names]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
}

export async function getRoleByName(db: Db, name: string): Promise<RoleRow> {
  const role = await findRole(db, name);
  if (!role) throw notFound(`role "${name}"`);
  return role;
}

export const listRoles = (database: Database, page: Page) =>
  readList(database, selectRoles(database.db), { id: 'roles.id' }, page);

export async function insertRole(
  tx: Tx,
  values: Pick<RoleRow, 'name' | 'description' | 'permissions'>,
): Promise<number> {
  return (await tx.insertInto('roles').values(values).returning('roles.id').executeTakeFirstOrThrow()).id;
}

export async function updateRole(
  tx: Tx,
  id: number,
  changes: Partial<Pick<RoleRow, 'description' | 'permissions'>>,
): Promise<void> {
  await tx
    .updateTable('roles')
    .set((role) => ({ ...changes, update_datetime: sql<string>`clock_timestamp()`, version: role('version', '+', 1) }))
    .where('roles.id', '=', id)
    .execute();
}

/** The number of active users per role, for all cohorts or in some. Both tables have a few rows per user. */
export async function countRoleUsers(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ role_id: number; users: number }>`
    select held.role_id, count(*)::int as users
    from (
      select user_roles.role_id, user_roles.user_id from user_roles
      union
      select cohort_roles.role_id, cohort_roles.user_id from cohort_roles
    ) as held
    join users on users.id = held.user_id and users.active
    group by held.role_id`.execute(db);
  return new Map(rows.map(({ role_id, users }) => [role_id, users]));
}

export async function readRoleNames(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select('roles.name')
    .where('user_roles.user_id', '=', userId)
    .orderBy('roles.id')
    .execute();
  return rows.map((row) => row.name);
}

/** Returns whether the role was not assigned before. */
export async function insertUserRole(tx: Tx, userId: number, roleId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_roles')
    .values({ user_id: userId, role_id: roleId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns whether the role was assigned. */
export async function deleteUserRole(tx: Tx, userId: number, roleId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_roles')
    .where('user_roles.user_id', '=', userId)
    .where('user_roles.role_id', '=', roleId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Blocks other transactions that remove administrators until the end of the transaction. */
export async function lockAdminRole(tx: Tx): Promise<void> {
  await tx.selectFrom('roles').select('roles.id').where('roles.name', '=', adminRole).forNoKeyUpdate().execute();
}

/** Whether an active admin can sign in with a password or single sign-on. API tokens do not count, because they expire. */
export async function hasActiveAdmin(tx: Tx): Promise<boolean> {
  const admin = await tx
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select('users.id')
    .where('roles.name', '=', adminRole)
    .where('users.active', '=', true)
    .where((be) =>
      be.or([
        be('users.password_hash', 'is not', null),
        be.exists(
          be
            .selectFrom('user_identities')
            .select('user_identities.user_id')
            .whereRef('user_identities.user_id', '=', 'users.id'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return admin !== undefined;
}
