/** Roles and users (specification, section 4, Roles, users). */
import { permissions, type peopleOperations, type Permission } from '@milepost/api';
import { createUser, refuseFaultyIdentity } from '../engine/people/create-user.ts';
import { keepAnAdmin } from '../engine/people/keep-an-admin.ts';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { Problem } from '../errors.ts';
import { needPermission, scopeOf } from '../http/authorize.ts';
import { created, ok, type Account, type Call, type Handlers, type HandlersInTwoParts } from '../http/call.ts';
import type { Links } from '../links.ts';
import type { Passwords } from '../passwords.ts';
import { isWithin, noCohorts } from '../store/scope.ts';
import { differing, recordChange } from '../store/record-change.ts';
import * as roles from '../store/roles.ts';
import * as users from '../store/users.ts';
import { listAnswer } from './lists.ts';
import { proveOneself } from './prove-oneself.ts';

type Hashing = Pick<typeof peopleOperations, 'createUser' | 'updateUser'>;

export const peopleHandlers: Handlers<Omit<typeof peopleOperations, keyof Hashing>> & HandlersInTwoParts<Hashing> = {
  async listRoles({ database, query, links }) {
    return listAnswer('roles', await roles.listRoles(database, query), (row) => summariseRole(links, row));
  },

  async getRole({ database, params, links }) {
    const role = await roles.getRole(database.db, params.id);
    const { description, update_datetime } = role;
    const detail = { description, permissions: permissionsOf(role), update_datetime };
    return ok({ ...summariseRole(links, role), ...detail }, role.version);
  },

  createUser: {
    async first({ account, body, passwords }) {
      const { username, email, password, name = '', active = true, all_cohorts: seesAll = true } = body;
      if (account.token && password !== undefined) throw noPasswordByToken();
      refuseFaultyIdentity({ username, email, password });
      const password_hash = password === undefined ? null : await passwords.hash(password);
      const values = { username, email, name, active, password_hash };
      const given = seesAll ? [roles.everybodysRole] : [];
      return async ({ database, author, links }) => {
        const user = await inTransaction(database.db, (tx) => createUser(tx, author, values, given));
        return created(showUser(links, user), user.version);
      };
    },
  },

  async listUsers({ database, query, links }) {
    return listAnswer('users', await users.listUsers(database, query), (row) => summariseUser(links, row));
  },

  async getUser({ database, params, links }) {
    const user = await users.getUser(database.db, params.id);
    return ok(showUser(links, user), user.version);
  },

  updateUser: {
    async first(call) {
      await needProof(call);
      const { password } = call.body;
      const hash = password === undefined ? undefined : await call.passwords.hash(password);
      return async (later) => {
        const { database, links } = later;
        const user = await inTransaction(database.db, (tx) => keepAnAdmin(tx, () => changeUser(tx, later, hash)));
        return ok(showUser(links, user), user.version);
      };
    },
  },

  async deleteUser(call) {
    const user = await inTransaction(call.database.db, (tx) =>
      keepAnAdmin(tx, async () => {
        const stored = await users.lockUser(tx, call.params.id);
        call.holdVersion(stored.version);
        await refuseStronger(tx, call.account, stored.id);
        return writeUser(tx, call, stored, { active: false });
      }),
    );
    return ok(showUser(call.links, user), user.version);
  },

  async assignUserRole(call) {
    return ok(await inTransaction(call.database.db, (tx) => setRole(tx, call, true)));
  },

  async removeUserRole(call) {
    return ok(await inTransaction(call.database.db, (tx) => keepAnAdmin(tx, () => setRole(tx, call, false))));
  },
};

/** It would outlast the token. Without one nobody can sign in to the account, nor ask for a new password. */
const noPasswordByToken = () =>
  new Problem('not_allowed', 'A token gives nobody a password: sign in for that, or leave it out for a program.');

type UpdateCall = Call<typeof peopleOperations.updateUser>;

/** Who finds an open session or a token must not be able to take an account over, whoever's it is. */
async function needProof(call: UpdateCall): Promise<void> {
  const { account, session, body, params } = call;
  if (!account.token && !session) return;
  const { email, password, current_password: current } = body;
  const stored = await users.getUser(call.database.db, params.id);
  if (password === undefined && (email === undefined || email === stored.email)) return;
  if (account.token) throw new Problem('not_allowed', 'A token changes no e-mail and no password: sign in for that.');
  if (params.id === account.id && account.passwordHash === null) throw new Problem('not_allowed', nothingToProve);
  await proveOneself(call, current, 'E-mails and passwords are changed');
}

const nothingToProve =
  'Your own e-mail and password change with your current password alone, and your account has none: ask an administrator to change them.';

async function changeUser(tx: Tx, call: UpdateCall, hash: string | undefined): Promise<users.UserRow> {
  const stored = await users.lockUser(tx, call.params.id);
  call.holdVersion(stored.version);
  const { username, email, name, active, password } = call.body;
  const wanted = differing(stored, { username, email, name: name === null ? '' : name, active }) ?? {};
  if (stored.id !== call.account.id) await refuseStronger(tx, call.account, stored.id);
  // One's own name, e-mail and password are one's own; what one is called by and whether one may enter is not.
  else if ('username' in wanted || 'active' in wanted) needPermission(call.account, 'user_update_all');
  if ('username' in wanted || 'email' in wanted || password !== undefined) {
    refuseFaultyIdentity({ username: stored.username, email: stored.email, ...wanted, password });
  }
  return writeUser(tx, call, stored, wanted, hash);
}

type Changes = Partial<Omit<users.UserRow, 'id' | 'create_time' | 'version'>>;

async function writeUser(tx: Tx, call: Pick<Call, 'author'>, stored: users.UserRow, wanted: Changes, hash?: string) {
  const changes = differing(stored, wanted);
  if (!changes && hash === undefined) return stored;
  await users.updateUser(tx, stored.id, { ...changes, ...(hash !== undefined && { password_hash: hash }) });
  // That a password was changed is history; what it was is nobody's.
  const after = { ...changes, ...(hash !== undefined && { password: 'changed' }) };
  await recordChange(tx, call.author, { objectKind: 'user', objectId: stored.id, before: stored, after });
  return { ...stored, ...changes, version: stored.version + 1 };
}

/** Nobody takes over an account that may do more than their own. */
export async function refuseStronger(tx: Tx, account: Account, userId: number): Promise<void> {
  const other = await loadAccount(tx, userId);
  const more = permissions.filter((permission) => !isWithin(scopeOf(other, permission), scopeOf(account, permission)));
  if (more.length === 0) return;
  throw new Problem('not_allowed', `This user has permissions that you lack: ${more.join(', ')}.`);
}

async function setRole(
  tx: Tx,
  call: Pick<Call, 'author'> & { params: { username: string; role_name: string } },
  has: boolean,
) {
  const user = await users.getUserByName(tx, call.params.username);
  const role = await roles.getRoleByName(tx, call.params.role_name);
  const changed = has
    ? await roles.insertUserRole(tx, user.id, role.id)
    : await roles.deleteUserRole(tx, user.id, role.id);
  if (changed) {
    const change = { role: role.name, has_role: has };
    await recordChange(tx, call.author, {
      objectKind: 'user',
      objectId: user.id,
      before: { ...change, has_role: !has },
      after: change,
    });
  }
  return { user: user.username, role: role.name, has_role: has };
}

/** The account behind a login, as sign-in needs it. */
export async function findAccount(db: Db, login: string): Promise<Account | undefined> {
  const row = await users.findAccount(db, login);
  return row && toAccount(row);
}

/** Sign-in found a hash that was made with less effort than today's, and the password that it is of. */
export async function strengthenPassword(
  db: Db,
  passwords: Passwords,
  account: Account,
  password: string,
): Promise<void> {
  if (account.passwordHash === null) return;
  await users.strengthenHash(db, account.id, account.passwordHash, await passwords.hash(password));
}

export const loadAccount = async (db: Db, id: number): Promise<Account> => toAccount(await users.getAccount(db, id));

export const toAccount = (row: users.AccountRow): Account => ({
  id: row.id,
  username: row.username,
  passwordHash: row.password_hash,
  active: row.active,
  roles: row.roles,
  permissions: carriedBy(row.roles, row.permissions),
  cohortRoles: row.cohort_roles.map((held) => ({
    role: held.role,
    permissions: carriedBy([held.role], held.permissions),
    cohortIds: held.cohort_ids,
  })),
  scope: noCohorts,
});

const carriedBy = (names: readonly string[], listed: readonly string[]): ReadonlySet<Permission> =>
  new Set(names.includes(roles.adminRole) ? permissions : permissions.filter((p) => listed.includes(p)));

const permissionsOf = (role: roles.RoleRow): string[] =>
  role.name === roles.adminRole ? [...permissions] : role.permissions;

export const summariseRole = (links: Links, row: { id: number; name: string }) => ({
  id: row.id,
  name: row.name,
  uri: links.uri('roles', row.id),
});

export const summariseUser = (links: Links, row: users.UserRow) => ({
  id: row.id,
  name: row.name,
  uri: links.uri('users', row.id),
  username: row.username,
});

const showUser = (links: Links, row: users.UserRow) => ({
  id: row.id,
  uri: links.uri('users', row.id),
  username: row.username,
  name: row.name,
  email: row.email,
  active: row.active,
  create_time: row.create_time,
});
