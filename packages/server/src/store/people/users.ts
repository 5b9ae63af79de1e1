import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { foldName } from '@milepost/definitions';

export { foldName };

export interface UserRow {
  id: number;
  username: string;
  email: string;
  name: string;
  active: boolean;
  create_time: string;
  version: number;
}

export interface HeldRole {
  role: string;
  permissions: string[];
}

/** What sign-in needs: the user with roles and permissions. */
export interface AccountRow extends Pick<UserRow, 'id' | 'username' | 'active'> {
  password_hash: string | null;
  /** Roles for all cohorts. */
  roles: HeldRole[];
  cohort_roles: (HeldRole & { cohort_ids: number[] })[];
}

const selectUsers = (db: Db) =>
  db
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.email', 'users.name', 'users.active', 'users.create_time'])
    .select('users.version');

type LoginColumn = 'users.email_key' | 'users.username_key';

/** Only e-mail addresses contain `@`, so a login matches at most one account. */
export const byLogin = (login: string): LoginColumn => (login.includes('@') ? 'users.email_key' : 'users.username_key');

/** A user without a password who has never used single sign-on has API tokens only. */
export const isServiceAccount = sql<boolean>`(users.password_hash is null and not users.awaits_password and not exists (
  select from user_identities where user_identities.user_id = users.id))`;

export async function isServiceAccountWithId(db: Db, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select(isServiceAccount.as('is_service_account'))
    .where('users.id', '=', id)
    .executeTakeFirst();
  return found?.is_service_account === true;
}

const roles = sql<HeldRole[]>`coalesce((
  select json_agg(json_build_object('role', roles.name, 'permissions', roles.permissions) order by roles.id)
  from user_roles join roles on roles.id = user_roles.role_id where user_roles.user_id = users.id), '[]')`;

const cohortRoles = sql<AccountRow['cohort_roles']>`coalesce((
  select json_agg(assigned) from (
    select roles.name as role, roles.permissions, array_agg(cohort_roles.cohort_id order by cohort_roles.cohort_id) as cohort_ids
    from cohort_roles join roles on roles.id = cohort_roles.role_id
    where cohort_roles.user_id = users.id group by roles.id order by roles.id) as assigned), '[]')`;

export const selectAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.active', 'users.password_hash'])
    .select([roles.as('roles'), cohortRoles.as('cohort_roles')]);

export interface AccountRowWithLogins extends AccountRow {
  /** The folded names with which the user can sign in. */
  logins: string[];
}

/** An account as JSON, for a statement that also reads other data. */
export const accountJson = (id: RawBuilder<unknown>) => sql`(
  select json_build_object('id', users.id, 'username', users.username, 'active', users.active,
    'password_hash', users.password_hash, 'logins', array[users.username_key, users.email_key], 'roles', ${roles},
    'cohort_roles', ${cohortRoles})
  from users where users.id = ${id})`;

const selectBy = (column: LoginColumn) =>
  prepare<string, AccountRow>((bind, db) => {
    const login = bind((folded) => folded);
    return selectAccounts(db).where(column, '=', login);
  });

const accountBy = {
  'users.email_key': selectBy('users.email_key'),
  'users.username_key': selectBy('users.username_key'),
};

export async function findAccount(db: Db, login: string): Promise<AccountRow | undefined> {
  const [account] = await accountBy[byLogin(login)](db, foldName(login));
  return account;
}

export const getAccount = (db: Db, id: number): Promise<AccountRow> =>
  selectAccounts(db)
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`user with id ${id}`));

export const getUser = (db: Db, id: number): Promise<UserRow> =>
  selectUsers(db)
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`user with id ${id}`));

/** Locks the user until the end of the transaction. */
export const lockUser = (tx: Tx, id: number): Promise<UserRow> =>
  selectUsers(tx)
    .where('users.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound(`user with id ${id}`));

export const getUserByName = (db: Db, username: string): Promise<UserRow> =>
  selectUsers(db)
    .where('users.username_key', '=', foldName(username))
    .executeTakeFirstOrThrow(() => notFound(`user "${username}"`));

/** Users with the username or the e-mail address: none, one, or two different ones. */
export const findUsersByNames = (
  tx: Tx,
  { username, email }: { username: string; email: string },
): Promise<UserRow[]> =>
  selectUsers(tx)
    .where((where) =>
      where.or([where('users.username_key', '=', foldName(username)), where('users.email_key', '=', foldName(email))]),
    )
    .forNoKeyUpdate()
    .execute();

/** Returns which of these case-folded usernames are taken. */
export async function takenUsernames(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('users')
    .select('users.username_key')
    .where('users.username_key', 'in', keys)
    .execute();
  return new Set(rows.map((row) => row.username_key));
}

export const listUsers = (database: Database, { active, ...page }: Page & { active?: boolean }) => {
  const all = selectUsers(database.db);
  const query = active === undefined ? all : all.where('users.active', '=', active);
  return readList(database, query, { id: 'users.id' }, page);
};

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('users.id').limit(1).executeTakeFirst()) !== undefined;
}

export interface UserValues {
  username: string;
  email: string;
  name: string;
  active: boolean;
  /** Null for users who only sign in with single sign-on or API tokens, or who have not set their first password yet. */
  password_hash: string | null;
  /** Whether the user can set a first password with a reset link. */
  awaits_password?: boolean;
}

export async function insertUser(tx: Tx, values: UserValues): Promise<UserRow> {
  return tx
    .insertInto('users')
    .values({ ...values, username_key: foldName(values.username), email_key: foldName(values.email) })
    .returning(['users.id', 'users.username', 'users.email', 'users.name', 'users.active', 'users.create_time'])
    .returning('users.version')
    .executeTakeFirstOrThrow();
}

/**
 * A new password or a change of `active` ends all sessions and password resets. A new e-mail address ends password resets. A
 * change of `active` also revokes API tokens, but a new password does not, because programs do not use it. Activation does the
 * same as deactivation, because the user may have been deactivated directly in the database or by an older release.
 */
export async function updateUser(tx: Tx, id: number, changes: Partial<UserValues>): Promise<void> {
  await tx
    .updateTable('users')
    .set((user) => ({
      ...changes,
      ...(changes.password_hash !== undefined && { awaits_password: false }),
      ...(changes.username !== undefined && { username_key: foldName(changes.username) }),
      ...(changes.email !== undefined && { email_key: foldName(changes.email) }),
      version: user('version', '+', 1),
    }))
    .where('users.id', '=', id)
    .execute();
  const endsSessions = changes.password_hash !== undefined || changes.active !== undefined;
  if (endsSessions) await endSessionsOf(tx, id);
  if (endsSessions || changes.email !== undefined) await endResetsOf(tx, id);
  if (changes.active !== undefined) await revokeTokensOf(tx, id);
}

const endSessionsOf = (tx: Tx, userId: number) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('sessions.user_id', '=', userId)
    .where('sessions.ended_at', 'is', null)
    .execute();

const revokeTokensOf = (tx: Tx, userId: number) =>
  tx
    .updateTable('api_tokens')
    .set({ revoked_at: sql<string>`clock_timestamp()` })
    .where('api_tokens.user_id', '=', userId)
    .where('api_tokens.revoked_at', 'is', null)
    .execute();

const endResetsOf = (tx: Tx, userId: number) =>
  tx
    .updateTable('password_resets')
    .set({ ended_at: sql<string>`clock_timestamp()` })
    .where('password_resets.user_id', '=', userId)
    .where('password_resets.ended_at', 'is', null)
    .execute();

/**
 * Locks the account if it is active and still has the password that was checked. Returns whether it does. The sign-in writes the
 * row, so two at once must not both hold a shared lock.
 */
export async function lockAccount(tx: Tx, id: number, passwordHash: string | null): Promise<boolean> {
  const account = await tx
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', id)
    .where('users.active', '=', true)
    .where('users.password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

/** Replaces a hash by a stronger one of the same password, unless the password has changed. */
export async function upgradeHash(db: Db, id: number, from: string, to: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('users.id', '=', id)
    .where('users.password_hash', '=', from)
    .execute();
}
