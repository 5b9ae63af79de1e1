/** Roles and users (specification, section 4, Roles, users). */
import { permissions, type peopleOperations } from '@milepost/api';
import { createUser, rejectInvalidIdentity } from '../../engine/people/create-user.ts';
import { keepAnAdmin } from '../../engine/people/keep-an-admin.ts';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { Problem } from '../../errors.ts';
import { loadAccount } from '../../http/access/accounts.ts';
import { permissionsBeyond, requirePermission } from '../../http/access/authorize.ts';
import { createToken, settingCookie } from '../../http/access/session-cookie.ts';
import { created, ok, type Account, type Call, type Handlers, type TwoPhaseHandlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { differing, recordChange } from '../../store/record/record-change.ts';
import * as roles from '../../store/people/roles.ts';
import * as users from '../../store/people/users.ts';
import { deletePrivateViews } from '../../store/screens/views.ts';
import { listAnswer } from '../lists.ts';
import { requireReauthentication, type SignInServices } from './require-reauthentication.ts';
import { findNewRoles, requireRoleRights } from './new-roles.ts';
import { beginSession } from './sessions.ts';

type Hashing = Pick<typeof peopleOperations, 'createUser' | 'updateUser'>;

export const peopleHandlers: Handlers<Omit<typeof peopleOperations, keyof Hashing>> &
  TwoPhaseHandlers<Hashing, SignInServices> = {
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
      const { username, email, password, name = '', active = true } = body;
      if (account.token && password !== undefined) throw passwordWithToken();
      requireRoleRights(account, body);
      rejectInvalidIdentity({ username, email, password });
      const password_hash = password === undefined ? null : await passwords.hash(password);
      const values = { username, email, name, active, password_hash };
      return async ({ database, author, links, account: later }) => {
        // While the password was hashed, the account can have lost a role.
        requireRoleRights(later, body);
        const user = await inTransaction(database.db, async (tx) =>
          createUser(tx, author, values, await findNewRoles(tx, later, body)),
        );
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
      await protectCredentials(call);
      const { password } = call.body;
      const hash = password === undefined ? undefined : await call.passwords.hash(password);
      return async (later) => {
        const { database, links } = later;
        return inTransaction(database.db, async (tx) => {
          const user = await keepAnAdmin(tx, () => changeUser(tx, later, hash));
          const headers = hash === undefined ? {} : await renewOwnSession(tx, later, user);
          return { ...ok(showUser(links, user), user.version), headers };
        });
      };
    },
  },

  async deleteUser(call) {
    const user = await inTransaction(call.database.db, (tx) =>
      keepAnAdmin(tx, async () => {
        const stored = await users.lockUser(tx, call.params.id);
        call.requireVersion(stored.version);
        await rejectMorePrivileged(tx, call.account, stored.id);
        await forgetPrivateViews(tx, call, stored.id);
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

/** Nobody else can see them. */
async function forgetPrivateViews(tx: Tx, { author }: Pick<Call, 'author'>, id: number): Promise<void> {
  const count = await deletePrivateViews(tx, id);
  if (count === 0) return;
  await recordChange(tx, author, { objectKind: 'user', objectId: id, before: { private_views: count }, after: null });
}

/** A password would outlast the token. Without one, nobody can sign in to the account or reset its password. */
const passwordWithToken = () =>
  new Problem(
    'not_allowed',
    'You cannot set a password with an API token. Sign in, or leave the password out to create a service account.',
  );

type UpdateCall = Call<typeof peopleOperations.updateUser> & SignInServices;

/** An open session or a token must not be enough to take over an account. */
async function protectCredentials(call: UpdateCall): Promise<void> {
  const { account, session, body, params } = call;
  if (!account.token && !session) return;
  const { email, password, current_password: current } = body;
  const stored = await users.getUser(call.database.db, params.id);
  if (password === undefined && (email === undefined || email === stored.email)) return;
  if (account.token) throw new Problem('not_allowed', credentialsWithToken);
  if (params.id === account.id && account.passwordHash === null) throw new Problem('not_allowed', noCurrentPassword);
  await requireReauthentication(call, current, 'change an e-mail address or a password');
}

const credentialsWithToken = 'You cannot change an e-mail address or a password with an API token. Sign in first.';

const noCurrentPassword =
  'You need your current password to change your e-mail address or password, and your account has none. Ask an administrator.';

async function changeUser(tx: Tx, call: UpdateCall, hash: string | undefined): Promise<users.UserRow> {
  const stored = await users.lockUser(tx, call.params.id);
  call.requireVersion(stored.version);
  const { username, email, name, active, password } = call.body;
  const wanted = differing(stored, { username, email, name: name === null ? '' : name, active }) ?? {};
  if (stored.id !== call.account.id) await rejectMorePrivileged(tx, call.account, stored.id);
  // Users can change their own name, e-mail address and password, but not their username or status.
  else if ('username' in wanted || 'active' in wanted) requirePermission(call.account, 'user_update_all');
  if ('username' in wanted || 'email' in wanted || password !== undefined) {
    rejectInvalidIdentity({ username: stored.username, email: stored.email, ...wanted, password });
  }
  return writeUser(tx, call, stored, wanted, hash);
}

/** A new password ends all sessions of the user. If the user changed it in a browser, the browser gets a new session. */
async function renewOwnSession(tx: Tx, { account, session, client, author }: UpdateCall, user: users.UserRow) {
  if (!session || user.id !== account.id || !user.active) return {};
  const token = createToken();
  await beginSession(tx, { userId: user.id, token, client, author });
  return { 'set-cookie': settingCookie(token) };
}

type Changes = Partial<Omit<users.UserRow, 'id' | 'create_time' | 'version'>>;

async function writeUser(tx: Tx, call: Pick<Call, 'author'>, stored: users.UserRow, wanted: Changes, hash?: string) {
  const changes = differing(stored, wanted);
  if (!changes && hash === undefined) return stored;
  await users.updateUser(tx, stored.id, { ...changes, ...(hash !== undefined && { password_hash: hash }) });
  // The history records that the password changed, but not its hash.
  const after = { ...changes, ...(hash !== undefined && { password: 'changed' }) };
  await recordChange(tx, call.author, { objectKind: 'user', objectId: stored.id, before: stored, after });
  return { ...stored, ...changes, version: stored.version + 1 };
}

/** A user must not take over an account with more permissions than their own. */
export async function rejectMorePrivileged(tx: Tx, account: Account, userId: number): Promise<void> {
  const more = permissionsBeyond(account, await loadAccount(tx, userId));
  if (more.length === 0) return;
  throw new Problem('not_allowed', `This user has permissions that you do not have: ${more.join(', ')}.`);
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

export const permissionsOf = (role: roles.RoleRow): string[] =>
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
