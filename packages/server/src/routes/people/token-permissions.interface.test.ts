/** Permissions of API tokens: never more than the owner currently has, and no operation whose effect outlasts the token. */
import { permissions, type OperationName, type Permission } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';
import { openSession } from '../../../testing/sessions.ts';
import { inDays, createTestToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const codeOf = async (name: Parameters<TestServer['call']>[0], parts: Parts): Promise<string> => {
  const { status, body } = await server.call(name, parts);
  return status < 300 ? 'open' : body.code;
};
const create = (as: string, id: number, wanted: readonly Permission[]) =>
  server.call('createApiToken', {
    as,
    params: { id },
    body: { name: 'x', permissions: wanted, expires_at: inDays(1) },
  });
const createCohort = (parts: Parts) => codeOf('createCohort', { ...parts, body: { label: world.fresh('cohort') } });

describe('the permissions of a token', () => {
  it('apply only while the owner also has them', async () => {
    const owner = await world.user();
    await server.call('assignUserRole', { params: { username: owner.username, role_name: 'superuser' } });
    const { parts } = await createTestToken(world, owner, ['sample_add', 'upload_data']);
    const held = async () => (await server.call('getSession', parts)).body.permissions.toSorted();
    expect(await held()).toEqual(['sample_add', 'upload_data']);
    expect(await createCohort(parts)).toBe('open');
    await server.call('removeUserRole', { params: { username: owner.username, role_name: 'superuser' } });
    expect(await held()).toEqual([]);
    expect(await createCohort(parts)).toBe('not_allowed');
    await server.call('assignUserRole', { params: { username: owner.username, role_name: 'superuser' } });
    expect(await createCohort(parts)).toBe('open');
  });

  it('do not grow with the permissions of the owner', async () => {
    const owner = await world.user('sample_add');
    const { parts } = await createTestToken(world, owner, ['sample_add']);
    await server.call('assignUserRole', { params: { username: owner.username, role_name: 'admin' } });
    expect((await server.call('getSession', parts)).body).toMatchObject({
      roles: expect.arrayContaining(['admin']),
      permissions: ['sample_add'],
    });
    expect(await codeOf('listUsers', parts)).toBe('not_allowed');
  });

  it('allow reading if the owner has one of them', async () => {
    const owner = await world.user('user_read', 'sample_add');
    const { parts } = await createTestToken(world, owner, ['user_read']);
    expect(await codeOf('listExperiments', parts)).toBe('open');
    expect(await createCohort(parts)).toBe('not_allowed');
    await server.sql('delete from user_roles where user_id = $1', [owner.id]);
    expect(await codeOf('listExperiments', parts)).toBe('not_allowed');
    expect(await codeOf('getSession', parts)).toBe('open');
  });

  it('that are missing for a request are named in the error', async () => {
    const { parts } = await createTestToken(world, await world.user('sample_add'));
    const { body } = await server.call('createCohort', { ...parts, body: { label: 'x' } });
    expect(body.detail).toBe('Your API token and its owner need the permission `sample_add`.');
  });
});

describe('creating a token', () => {
  it('with permissions that the owner lacks is rejected with a pointer to them', async () => {
    const { id, username } = await world.user('sample_add');
    for (const as of [username, 'admin']) {
      const { status, body } = await create(as, id, ['sample_add', 'roles_manage']);
      expect([status, body.code]).toEqual([403, 'not_allowed']);
      expect(body.errors).toMatchObject([{ pointer: '/permissions/1' }]);
    }
  });

  it('for another user requires all permissions of that user, even for a token without permissions', async () => {
    const manager = await world.user('token_manage', 'sample_add');
    const weaker = await world.user('sample_add');
    const stronger = await world.user('sample_add', 'roles_manage');
    expect((await create(manager.username, weaker.id, ['sample_add'])).status).toBe(201);
    for (const wanted of [[], ['sample_add'] as const]) {
      const { status, body } = await create(manager.username, stronger.id, wanted);
      expect([status, body.code]).toEqual([403, 'not_allowed']);
      expect(body.detail).toContain('roles_manage');
    }
  });
});

describe('revoking a token', () => {
  it('of any user requires only token_manage', async () => {
    const manager = await world.user('token_manage');
    const admin = await world.user(...permissions);
    const { id, parts } = await createTestToken(world, admin, permissions);
    const params = { id: admin.id, token_id: id };
    expect(await codeOf('revokeApiToken', { as: manager.username, params })).toBe('open');
    expect(await codeOf('getSession', parts)).toBe('token_ended');
  });
});

const bySession = async ({ id, username }: { id: number; username: string }) => {
  const { id: sessionId, parts } = await openSession(server, username);
  const make = (more: object = {}) =>
    server.call('createApiToken', {
      ...parts,
      params: { id },
      body: { name: 'x', permissions: [], expires_at: inDays(1), ...more },
    });
  return { sessionId, make };
};

describe('creating a token with a session', () => {
  it.each([
    ['without the password', {}, 'required'],
    ['with a wrong password', { current_password: 'wrong wrong wrong' }, 'wrong'],
  ])('is rejected %s, for the caller’s own account and for other accounts', async (_how, given, word) => {
    const manager = await world.user('token_manage');
    for (const { id } of [manager, await world.user()]) {
      const { make } = await bySession({ ...manager, id });
      const { status, body } = await make(given);
      expect([status, body.code]).toEqual([403, 'not_allowed']);
      expect(body.errors).toMatchObject([{ pointer: '/current_password' }]);
      expect(body.detail).toContain(`is ${word}`);
      expect(await server.sql('select from api_tokens where user_id = $1', [id])).toEqual([]);
      expect((await make({ current_password: testPassword })).status).toBe(201);
    }
  });

  it('is allowed within 15 minutes of signing in if the account has no password', async () => {
    const owner = await world.user();
    const { sessionId, make } = await bySession(owner);
    await server.sql('update users set password_hash = null where id = $1', [owner.id]);
    const beganBefore = (time: string) =>
      server.sql(
        `update sessions set created_at = now() - $2::interval, expires_at = now() - $2::interval + interval '12 hours' where id = $1`,
        [sessionId, time],
      );
    await beganBefore('10 minutes');
    expect((await make()).status).toBe(201);
    await beganBefore('16 minutes');
    const { status, body } = await make({ current_password: testPassword });
    expect([status, body.code, body.errors]).toEqual([403, 'not_allowed', []]);
    expect(body.detail).toContain('sign in again');
  });
});

/** A token with all permissions, of a user with all permissions. */
const fullToken = async () => {
  const owner = await world.user(...permissions);
  return { owner, ...(await createTestToken(world, owner, permissions)) };
};

describe('an API token', () => {
  it('with all permissions cannot create tokens for its owner or another user', async () => {
    const { owner, parts } = await fullToken();
    for (const { id } of [owner, await world.user()]) {
      const body = { name: 'x', permissions: [], expires_at: inDays(1) };
      const { status, body: refusal } = await server.call('createApiToken', { ...parts, params: { id }, body });
      expect([status, refusal.code]).toEqual([403, 'not_allowed']);
      expect(refusal.detail).toContain('Sign in with HTTP Basic');
    }
  });

  it('with all permissions cannot change the password or e-mail of any account', async () => {
    const { owner, parts } = await fullToken();
    for (const { id } of [owner, await world.user()]) {
      for (const body of [{ password: 'another fine sentence' }, { email: 'elsewhere@example.org' }]) {
        expect(await codeOf('updateUser', { ...parts, params: { id }, body })).toBe('not_allowed');
      }
      expect(await codeOf('updateUser', { ...parts, params: { id }, body: { name: 'Another name' } })).toBe('open');
    }
  });

  it('with all permissions cannot create an account with a password, but can create a service account', async () => {
    const { owner, parts } = await fullToken();
    const username = world.fresh('made').replace(' ', '_');
    const email = `${username}@example.org`;
    const body = { username, email, password: testPassword };
    const { status, body: refusal } = await server.call('createUser', { ...parts, body });
    expect([status, refusal.code]).toEqual([403, 'not_allowed']);
    expect(refusal.detail).toBe(
      'You cannot set a password with an API token. Sign in, or leave the password out to create a service account.',
    );
    expect(await codeOf('createUser', { ...parts, body: { username, email } })).toBe('open');
    expect(await codeOf('getSession', { as: username })).toBe('wrong_credentials');
    await server.call('askPasswordReset', { as: null, body: { login: email } });
    expect(await server.sql('select user_id from password_resets')).toEqual([{ user_id: null }]);
    const another = { ...body, username: `${username}2`, email: `2${email}` };
    expect(await codeOf('createUser', { as: owner.username, body: another })).toBe('open');
  });

  it('with all permissions cannot assign roles or import configuration, although its owner can', async () => {
    const { owner, parts } = await fullToken();
    const { id: cohort_id } = await world.cohort();
    const params = { username: (await world.user()).username, role_name: 'admin', cohort_id };
    const file = `users: [{username: ${params.username}, email: ${params.username}@example.org, roles: [admin]}]`;
    const requests: [OperationName, Parts][] = [
      ['assignUserRole', { params }],
      ['assignCohortRole', { params }],
      ['importConfig', { body: { config_definition: file } }],
      ['overwriteConfig', { body: { config_definition: file } }],
    ];
    for (const [name, asked] of requests) {
      expect([name, await codeOf(name, { ...asked, ...parts })]).toEqual([name, 'not_allowed']);
      expect([name, await codeOf(name, { ...asked, as: owner.username })]).toEqual([name, 'open']);
      expect([name, await codeOf(name, { ...asked, ...(await openSession(server, owner.username)).parts })]).toEqual([
        name,
        'open',
      ]);
    }
    expect(await codeOf('removeUserRole', { ...parts, params })).toBe('open');
  });

  it('cannot change a user who has more permissions than the token', async () => {
    const owner = await world.user(...permissions);
    const { parts } = await createTestToken(world, owner, ['user_update_all', 'user_delete']);
    const { id } = await world.user('sample_add');
    expect(await codeOf('updateUser', { ...parts, params: { id }, body: { name: 'Me' } })).toBe('not_allowed');
    expect(await codeOf('deleteUser', { ...parts, params: { id } })).toBe('not_allowed');
  });

  it('can read its owner’s account, but cannot change it without the required permission', async () => {
    const owner = await world.user(...permissions);
    const { parts } = await createTestToken(world, owner, ['sample_add']);
    const params = { id: owner.id };
    expect(await codeOf('getUser', { ...parts, params })).toBe('open');
    expect(await codeOf('listApiTokens', { ...parts, params })).toBe('open');
    expect(await codeOf('updateUser', { ...parts, params, body: { name: 'Me' } })).toBe('not_allowed');
  });

  it('allow it to revoke itself, but no other token', async () => {
    const [owner, stranger] = [await world.user('sample_add'), await world.user('sample_add')];
    const [first, second] = [await createTestToken(world, owner), await createTestToken(world, owner)];
    const revoke = (account: number, token: number) =>
      codeOf('revokeApiToken', { ...first.parts, params: { id: account, token_id: token } });
    expect(await revoke(owner.id, second.id)).toBe('not_allowed');
    // The path names another account, which could have the token.
    expect(await revoke(stranger.id, first.id)).toBe('not_allowed');
    expect(await revoke(owner.id, first.id)).toBe('open');
    expect(await codeOf('getSession', first.parts)).toBe('token_ended');
    expect(await codeOf('getSession', second.parts)).toBe('open');
  });
});

describe('the tokens of an account', () => {
  it('become invalid when the account is deactivated, and stay invalid when it is reactivated', async () => {
    const owner = await world.user('sample_add');
    const { parts } = await createTestToken(world, owner);
    await server.call('deleteUser', { params: { id: owner.id } });
    expect(await codeOf('getSession', parts)).toBe('token_ended');
    await server.call('updateUser', { params: { id: owner.id }, body: { active: true } });
    expect(await codeOf('getSession', { as: owner.username })).toBe('open');
    expect(await codeOf('getSession', parts)).toBe('token_ended');
  });

  it('are revoked on reactivation, like reset links, if the deactivation did not revoke them', async () => {
    const owner = await world.user('sample_add');
    const { parts } = await createTestToken(world, owner);
    await server.call('askPasswordReset', { as: null, body: { login: owner.username } });
    const openLinks = () =>
      server.sql('select id from password_resets where user_id = $1 and ended_at is null', [owner.id]);
    // Like a server that supports neither tokens nor reset links.
    await server.sql('update users set active = false where id = $1', [owner.id]);
    expect([await codeOf('getSession', parts), (await openLinks()).length]).toEqual(['token_ended', 1]);
    await server.call('updateUser', { params: { id: owner.id }, body: { active: true } });
    expect([await codeOf('getSession', parts), (await openLinks()).length]).toEqual(['token_ended', 0]);
    expect(await codeOf('getSession', { as: owner.username })).toBe('open');
  });

  it('stay valid when the password of the account changes', async () => {
    const owner = await world.user('sample_add');
    const { parts } = await createTestToken(world, owner);
    await server.call('updateUser', { params: { id: owner.id }, body: { password: 'another fine sentence' } });
    expect(await codeOf('getSession', { as: owner.username })).toBe('wrong_credentials');
    expect(await codeOf('getSession', parts)).toBe('open');
  });
});
