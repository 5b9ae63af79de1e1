/**
 * The permissions of users and roles, and what they say about new API tokens.
 *
 * @module-tag sql
 */
import { permissions } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { inDays } from '../../../testing/tokens.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface TestUser {
  id: number;
  username: string;
}

const assign = ({ username }: TestUser, role_name: string, { id: cohort_id }: { id: number }) =>
  server.call('assignCohortRole', { params: { username, role_name, cohort_id } });

const permissionsOf = async ({ id }: TestUser, as = 'admin') =>
  (await server.call('getUserPermissions', { params: { id }, as })).body;

async function createUserWithoutRoles(): Promise<TestUser> {
  const username = world.fresh('no_role').replace(' ', '_');
  return { id: await server.addUser(username, []), username };
}

describe('GET /users/{id}/permissions', () => {
  it('returns empty lists for a user without roles', async () => {
    const none = { permissions: [], cohort_permissions: [], missing_permissions: [] };
    expect(await permissionsOf(await createUserWithoutRoles())).toEqual(none);
  });

  it('returns every permission of an administrator', async () => {
    expect((await permissionsOf({ id: 1, username: 'admin' })).permissions.toSorted()).toEqual(permissions.toSorted());
  });

  it('lists a permission for some cohorts apart from those for all cohorts', async () => {
    const user = await world.user('sample_add', 'user_read');
    await assign(user, 'superuser', await world.cohort());
    expect(await permissionsOf(user)).toEqual({
      permissions: ['sample_add', 'user_read'],
      cohort_permissions: ['sample_state_update', 'sample_update', 'upload_data'],
      missing_permissions: [],
    });
  });

  it('lists the permissions that the caller lacks, as a whole or in a cohort of the user', async () => {
    const [cohort, other] = [await world.cohort(), await world.cohort()];
    const [manager, user] = [await world.user('token_manage'), await world.user('user_delete')];
    await assign(user, 'superuser', cohort);
    await assign(manager, 'superuser', other);
    const lacking = async () => (await permissionsOf(user, manager.username)).missing_permissions;
    const ofSuperuser = ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'];
    expect((await lacking()).toSorted()).toEqual([...ofSuperuser, 'user_delete'].toSorted());
    await assign(manager, 'superuser', cohort);
    expect(await lacking()).toEqual(['user_delete']);
  });

  it.each([
    ['user_delete', true],
    ['token_manage', false],
  ] as const)('predicts whether a token manager can create a token for a user with %s', async (held, isMissing) => {
    const [manager, user] = [await world.user('token_manage'), await world.user(held)];
    const { missing_permissions: missing } = await permissionsOf(user, manager.username);
    expect(missing).toEqual(isMissing ? [held] : []);
    const body = { name: 'Import', permissions: [], expires_at: inDays(1) };
    const { status } = await server.call('createApiToken', { as: manager.username, params: { id: user.id }, body });
    expect(status).toBe(isMissing ? 403 : 201);
  });

  it('returns exactly the permissions that a new token of the user can have', async () => {
    const user = await world.user('sample_add');
    await assign(user, 'user', await world.cohort());
    const held = await permissionsOf(user);
    const all = [...held.permissions, ...held.cohort_permissions];
    const create = (wanted: readonly string[]) =>
      server.call('createApiToken', {
        params: { id: user.id },
        body: { name: 'Import', permissions: [...wanted], expires_at: inDays(1) },
      });
    expect((await create(all)).status).toBe(201);
    const rejected = [];
    for (const one of permissions) if ((await create([one])).status === 403) rejected.push(one);
    expect(rejected).toEqual(permissions.filter((one) => !all.includes(one)));
  });

  it('is forbidden for other users without the permission `token_manage`', async () => {
    const [reader, user] = [await world.user('user_read_all'), await world.user()];
    const parts = { as: reader.username, params: { id: user.id } };
    expect((await server.call('getUserPermissions', parts)).status).toBe(403);
  });
});

const usersOf = async (name: string) =>
  (await server.call('listRoleRows')).body.roles.find((role: { name: string }) => role.name === name)?.users;

describe('GET /role_rows', () => {
  it('counts each active user once, for all cohorts and for several single ones', async () => {
    const before = await usersOf('superuser');
    const [both, inCohort] = [await createUserWithoutRoles(), await createUserWithoutRoles()];
    const [first, second] = [await world.cohort(), await world.cohort()];
    await server.call('assignUserRole', { params: { username: both.username, role_name: 'superuser' } });
    for (const cohort of [first, second]) {
      await assign(both, 'superuser', cohort);
      await assign(inCohort, 'superuser', cohort);
    }
    expect(await usersOf('superuser')).toBe(before + 2);
    await server.call('deleteUser', { params: { id: both.id } });
    expect(await usersOf('superuser')).toBe(before + 1);
  });

  it('returns every permission for the role `admin`, and unknown permissions of an imported role', async () => {
    const config_definition = 'roles: [{name: foreign, description: Flies, permissions: [user_read, sample_fly]}]';
    await server.call('importConfig', { body: { config_definition } });
    const { roles } = (await server.call('listRoleRows')).body;
    expect(roles[0]).toMatchObject({ name: 'admin', permissions: [...permissions] });
    expect(roles.at(-1)).toMatchObject({ description: 'Flies', permissions: ['user_read', 'sample_fly'], users: 0 });
  });
});
