import type { peopleOperations } from '@milepost/api';
import {
  found,
  invalid,
  lastAdmin,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
  invalidPaging,
} from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const password = 'a sentence is a fine password';
/** The administrator of a test server is its first user and the only one with the role `admin`. */
const adminId = 1;
const userRole = { id: 3, name: 'user', uri: '/api/v2/roles/3' };

const byId = async (world: World) => ({ id: (await world.user()).id });
const byUser = async (world: World) => ({ username: (await world.user()).username, role_name: 'user' });
const newUser = (world: World) => {
  const username = world.fresh('person').replace(' ', '_');
  return { username, email: `${username}@example.org`, password };
};
const rolesOf = (username: string, ...names: string[]) => ({
  query: `select roles.name from users join user_roles on user_id = users.id join roles on roles.id = role_id
          where username = $1 and roles.name not like 'role of %'`,
  values: [username],
  rows: names.map((name) => ({ name })),
});

export const peopleCases: SectionCases<typeof peopleOperations> = {
  listRoles: {
    success: { 'returns a page with one role': () => found({ query: { after: 2, limit: 1 } }, { roles: [userRole] }) },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getRole: {
    success: {
      'returns a role with its permissions': () =>
        found({ params: { id: 3 } }, { ...userRole, permissions: ['user_read'] }),
    },
    validation: unknownParameter(async () => ({ id: 3 })),
    'missing reference': missingParts(async () => ({ id: 3 }), { id: noSuchId }),
    conflict: readsOnly,
  },
  createUser: {
    success: {
      // The first case is used for every kind of caller, and callers with a token cannot set a password.
      'creates a user without a password, with the role `user`': (world) => {
        const { password: _none, ...body } = newUser(world);
        return { request: { body }, status: 201, body, stored: rolesOf(body.username, 'user') };
      },
      'creates a user with a password': (world) => {
        const { username, email } = newUser(world);
        return {
          request: { body: { username, email, password } },
          status: 201,
          body: { username, email, name: '', active: true },
          stored: rolesOf(username, 'user'),
        };
      },
      'creates a user without a role if `all_cohorts` is false': (world) => {
        const body = newUser(world);
        return { request: { body: { ...body, all_cohorts: false } }, status: 201, stored: rolesOf(body.username) };
      },
      'creates a user with the given roles': async (world) => {
        const body = { ...newUser(world), roles: [{ role_name: 'superuser', cohort_ids: null }] };
        const { username: as } = await world.user('user_add', 'roles_manage');
        return { request: { body, as }, status: 201, stored: rolesOf(body.username, 'superuser') };
      },
    },
    validation: {
      'rejects a password of 11 characters': (world) =>
        invalid({ body: { ...newUser(world), password: 'a sentence ' } }, '/password'),
      'rejects a username with a colon': (world) =>
        invalid({ body: { ...newUser(world), username: 'a:b' } }, '/username'),
    },
    'missing reference': {
      'rejects an unknown role': async (world) => {
        const roles = [{ role_name: 'unknown', cohort_ids: null }];
        const { username: as } = await world.user('user_add', 'roles_manage');
        return missing({ body: { ...newUser(world), roles }, as }, '/roles/0/role_name');
      },
      'rejects an unknown cohort': async (world) => {
        const roles = [{ role_name: 'user', cohort_ids: [noSuchId] }];
        const { username: as } = await world.user('user_add', 'roles_manage');
        return missing({ body: { ...newUser(world), roles }, as }, '/roles/0/cohort_ids/0');
      },
    },
    conflict: {
      'rejects a username that differs from an existing one only by case': async (world) => {
        const { username } = await world.user();
        return taken({ body: { ...newUser(world), username: username.toUpperCase() } }, '/username');
      },
      'rejects an e-mail address that differs from an existing one only by case': async (world) => {
        const { username } = await world.user();
        return taken({ body: { ...newUser(world), email: `${username.toUpperCase()}@Example.org` } }, '/email');
      },
    },
  },
  listUsers: {
    success: {
      'returns a page with one user': async (world) => {
        const { id, username } = await world.user();
        const users = [{ id, username, name: '', uri: `/api/v2/users/${id}` }];
        return found({ query: { after: id - 1, limit: 1 } }, { users });
      },
      'returns only inactive users': async (world) => {
        const { id } = await world.inactiveAdmin();
        await world.user();
        return found({ query: { after: id - 1, active: false } }, { users: [{ id }] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getUser: {
    success: {
      'returns another user': async (world) => {
        const { id, username } = await world.user();
        const body = { id, username, email: `${username}@example.org`, name: '', active: true };
        return found({ params: { id } }, body);
      },
      'returns the caller': async (world) => {
        const { id, username } = await world.user();
        return found({ params: { id }, as: username }, { id, username });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  updateUser: {
    success: {
      'changes the name of another user': async (world) => {
        const { id } = await world.user();
        return {
          ...found({ params: { id }, body: { name: 'Joke' } }, { id, name: 'Joke' }),
          stored: { query: 'select name from users where id = $1', values: [id], rows: [{ name: 'Joke' }] },
        };
      },
      "changes the caller's own name": async (world) => {
        const { id, username } = await world.user();
        return found({ params: { id }, body: { name: 'Me' }, as: username }, { id, name: 'Me' });
      },
    },
    validation: {
      'rejects an e-mail address without @': async (world) =>
        invalid({ params: await byId(world), body: { email: 'nowhere' } }, '/email'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { name: 'Joke' }),
    conflict: {
      'rejects the username of another user': async (world) =>
        taken({ params: await byId(world), body: { username: (await world.user()).username } }, '/username'),
      'does not deactivate the last administrator': () =>
        lastAdmin({ params: { id: adminId }, body: { active: false }, as: 'admin' }),
    },
  },
  deleteUser: {
    success: {
      'deactivates another user': async (world) => {
        const { id } = await world.user();
        return {
          ...found({ params: { id } }, { id, active: false }),
          stored: { query: 'select active from users where id = $1', values: [id], rows: [{ active: false }] },
        };
      },
    },
    validation: {
      'rejects a body': async (world) => invalid({ params: await byId(world), body: { active: false } }, ''),
    },
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: {
      'does not deactivate the last administrator': () => lastAdmin({ params: { id: adminId }, as: 'admin' }),
    },
  },
  assignUserRole: {
    success: {
      'assigns a role': async (world) => {
        const params = await byUser(world);
        return {
          ...found({ params }, { user: params.username, role: 'user', has_role: true }),
          stored: rolesOf(params.username, 'user'),
        };
      },
    },
    validation: unknownParameter(byUser),
    'missing reference': missingParts(byUser, { username: 'unknown', role_name: 'unknown' }),
    conflict: none('Assigning a role that the user already has changes nothing.'),
  },
  removeUserRole: {
    success: {
      'removes a role': async (world) => {
        const { id, username } = await world.user();
        await world.sql('insert into user_roles (user_id, role_id) values ($1, 3)', [id]);
        return {
          ...found({ params: { username, role_name: 'user' } }, { user: username, role: 'user', has_role: false }),
          stored: rolesOf(username),
        };
      },
    },
    validation: unknownParameter(byUser),
    'missing reference': missingParts(byUser, { username: 'unknown', role_name: 'unknown' }),
    conflict: {
      'does not remove the role from the last administrator': () =>
        lastAdmin({ params: { username: 'admin', role_name: 'admin' } }),
    },
  },
};
