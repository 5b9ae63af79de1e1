/** Access to accounts by permission. A change of permissions applies to the next request. */
import { builtInRoles } from '../../../../api/testing/callers.ts';
import { basic, permissions } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const put = (as: string, id: number, body: object) => server.call('updateUser', { params: { id }, body, as });

describe('the caller’s own account', () => {
  it('accepts a new name, e-mail and password, and the new password is valid immediately (V6.2.2)', async () => {
    const { id, username } = await world.user();
    const changes = { name: 'Me', email: `me.${username}@example.org`, password: 'my own fine sentence' };
    expect((await put(username, id, changes)).status).toBe(200);
    expect((await server.call('getUser', { params: { id }, as: username })).status).toBe(401);
    const authorization = basic(changes.email, changes.password);
    expect((await server.call('getUser', { params: { id }, as: null, headers: { authorization } })).status).toBe(200);
  });

  it.each([{ username: 'boss' }, { active: false }])(
    'requires user_update_all for the change %j (V8.2.3)',
    async (change) => {
      const { id, username } = await world.user('user_read_all');
      const { status, body } = await put(username, id, { name: 'unchanged', ...change });
      expect(status).toBe(403);
      expect(body.detail).toContain('user_update_all');
      expect((await server.call('getUser', { params: { id } })).body).toMatchObject({
        name: '',
        username,
        active: true,
      });
    },
  );

  it('accepts the body of a GET response, including username and active', async () => {
    const { id, username } = await world.user();
    const { body } = await server.call('getUser', { params: { id }, as: username });
    expect((await put(username, id, { ...body, name: 'Me' })).body).toEqual({ ...body, name: 'Me' });
  });
});

describe('another user’s account', () => {
  it('returns 403 to a caller without the required permission, even if the account does not exist', async () => {
    const [{ username }, other] = [await world.user('user_read'), await world.user()];
    for (const id of [other.id, 4_000_000_000, 0]) {
      const { status, body } = await server.call('getUser', { params: { id }, as: username });
      expect([status, body.code]).toEqual([403, 'not_allowed']);
      expect((await put(username, id, { name: 'x' })).status).toBe(403);
      expect((await server.call('deleteUser', { params: { id }, as: username })).status).toBe(403);
    }
  });

  it('cannot be changed or deactivated if it has a permission that the caller lacks', async () => {
    const caller = await world.user('user_update_all', 'user_delete', 'sample_add');
    const stronger = await world.user('sample_add', 'sample_delete');
    const { status, body } = await put(caller.username, stronger.id, { password: 'mine from now on' });
    expect(status).toBe(403);
    expect(body.detail).toBe('This user has permissions that you do not have: sample_delete.');
    const deletion = await server.call('deleteUser', { params: { id: stronger.id }, as: caller.username });
    expect(deletion.status).toBe(403);
    expect((await server.call('getUser', { params: { id: stronger.id } })).body.active).toBe(true);
    const weaker = await world.user('sample_add');
    expect((await put(caller.username, weaker.id, { name: 'x' })).status).toBe(200);
  });

  it('with the role admin cannot be changed by a caller who lacks one permission', async () => {
    const { username } = await world.user(...permissions.filter((permission) => permission !== 'webhook_manage'));
    const { status, body } = await put(username, 1, { name: 'mine' });
    expect(status).toBe(403);
    expect(body.detail).toContain('webhook_manage');
  });
});

describe('a change of permissions', () => {
  it('applies to the next request after a role is assigned or removed', async () => {
    const { username } = await world.user();
    const params = { username, role_name: 'superuser' };
    const attempt = async () =>
      (await server.call('createCohort', { body: { label: world.fresh('c') }, as: username })).status;
    expect(await attempt()).toBe(403);
    await server.call('assignUserRole', { params });
    expect(await attempt()).toBe(201);
    await server.call('removeUserRole', { params });
    expect(await attempt()).toBe(403);
  });

  it('applies to the next request after an import removes a permission from a role', async () => {
    const { username } = await world.user('sample_add');
    const attempt = async () =>
      (await server.call('createCohort', { body: { label: world.fresh('c') }, as: username })).status;
    expect(await attempt()).toBe(201);
    const config_definition = JSON.stringify({ roles: [{ name: `role of ${username}`, permissions: [] }] });
    await server.call('overwriteConfig', { body: { config_definition } });
    expect(await attempt()).toBe(403);
  });

  it('prevents the next request from reading study data after the last role is removed', async () => {
    const { id, username } = await world.user('user_read');
    expect((await server.call('listSubjects', { as: username })).status).toBe(200);
    await server.call('removeUserRole', { params: { username, role_name: `role of ${username}` } });
    const { status, body } = await server.call('listSubjects', { as: username });
    expect([status, body.code]).toEqual([403, 'not_allowed']);
    expect((await server.call('getUser', { params: { id }, as: username })).status).toBe(200);
  });
});

describe('a deactivated user', () => {
  it('gets 401 from the next request on, even with valid credentials', async () => {
    const { id, username } = await world.user('user_read');
    expect((await server.call('listSubjects', { as: username })).status).toBe(200);
    await server.call('deleteUser', { params: { id } });
    expect((await server.call('listSubjects', { as: username })).status).toBe(401);
  });
});

describe('PUT and DELETE /users/{username}/roles/{role_name}', () => {
  it('return 200 with the same body and add no history entry when repeated', async () => {
    const { id, username } = await world.user();
    const params = { username, role_name: 'superuser' };
    const entries = () => server.sql('select operation, after from history where object_id = $1 order by id', [id]);
    const before = await entries();
    for (const [name, has_role] of [
      ['assignUserRole', true],
      ['removeUserRole', false],
    ] as const) {
      const first = await server.call(name, { params });
      expect(first).toMatchObject({ status: 200, body: { user: username, role: 'superuser', has_role } });
      const after = await entries();
      expect(after.at(-1)).toEqual({ operation: name, after: { role: 'superuser', has_role } });
      expect(await server.call(name, { params })).toMatchObject({ status: 200, body: first.body });
      expect(await entries()).toEqual(after);
    }
    expect((await entries()).length).toBe(before.length + 2);
  });
});

describe('PUT /users/{username}/roles/{role_name}', () => {
  it('ignores case in the username, but not in the role name', async () => {
    const { username } = await world.user();
    const params = { username: username.toUpperCase(), role_name: 'superuser' };
    expect((await server.call('assignUserRole', { params })).body.user).toBe(username);
    expect((await server.call('assignUserRole', { params: { ...params, role_name: 'Superuser' } })).status).toBe(404);
  });

  it('finds a user whose username is an e-mail', async () => {
    const email = 'mail@example.org';
    await server.call('createUser', { body: { username: email, email, password: testPassword } });
    const { body } = await server.call('assignUserRole', { params: { username: email, role_name: 'superuser' } });
    expect(body).toEqual({ user: email, role: 'superuser', has_role: true });
  });
});

describe('GET /roles/{id}', () => {
  it.each(Object.entries(builtInRoles))('returns the initial permissions of the role %s', async (name, expected) => {
    const { roles } = (await server.call('listRoles')).body;
    const { id } = roles.find((role: { name: string }) => role.name === name);
    expect((await server.call('getRole', { params: { id } })).body).toMatchObject({ name, permissions: expected });
  });
});
