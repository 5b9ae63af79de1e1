/**
 * import-config with passwords that are rejected: the accounts are imported without a password, or keep the password that they
 * have, and the response warns. No import leaves the installation without an administrator who can sign in.
 *
 * @module-tag sql
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../testing/server.ts';
import { openSession } from '../../testing/sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (config_definition: string, query: Parts['query'] = {}) =>
  server.call('importConfig', { body: { config_definition }, query });
const put = (config_definition: string, query: Parts['query'] = {}) =>
  server.call('overwriteConfig', { body: { config_definition }, query });

let count = 0;
const fresh = () => `person${++count}`;
const entry = (username: string, password: string, more = '') =>
  `  - {username: ${username}, email: ${username}@example.org, password: "${password}"${more}}\n`;
const fileOf = (...entries: string[]) => `users:\n${entries.join('')}`;

const everything = () =>
  server.sql(
    `select (select jsonb_agg(u order by id) from users u) as users, (select count(*) from history) as history,
            (select jsonb_agg(ur order by user_id, role_id) from user_roles ur) as user_roles`,
  );
const hasPassword = async (username: string) => {
  const [row] = await server.sql<{ has: boolean }>(
    'select password_hash is not null as has from users where username = $1',
    [username],
  );
  return row?.has;
};
const sessionWith = (username: string, password: string) =>
  server.call('getSession', { as: null, headers: { authorization: basic(username, password) } });

/** Imports a new account without a password. */
async function importWithoutPassword(more = ''): Promise<{ id: number; username: string }> {
  const username = fresh();
  const { body } = await post(fileOf(entry(username, 'short', more)));
  return body.users[0];
}

const rejected: [string, (username: string) => string, RegExp][] = [
  ['is too short', () => 'short', /must have at least 12 characters/],
  ['is empty', () => '', /must have at least 12 characters/],
  ['is too long', () => 'a sentence '.repeat(100), /must have at most 1,024 characters/],
  ['is common', () => 'Password2026!', /is too common/],
  ['repeats a character', () => 'aaaaaaaaaaaaaaaa', /repeated characters/],
  ['is the e-mail address', (username) => `${username}@example.org`, /must not be the username or e-mail address/],
];

describe.each([
  ['POST', post, 201],
  ['PUT', put, 200],
] as const)('%s import-config', (_method, send, imported) => {
  it.each(rejected)('creates an account without a password if the password %s', async (_why, passwordOf, reason) => {
    const [weak, strong] = [fresh(), fresh()];
    const password = passwordOf(weak);
    const { status, body } = await send(fileOf(entry(weak, password), entry(strong, 'a sentence of mine')));
    expect([status, body.users.map((user: { username: string }) => user.username)]).toEqual([imported, [weak, strong]]);
    const warning = { code: null, message: expect.stringMatching(reason), line: 2, column: expect.any(Number) };
    expect(body.warnings).toEqual([warning]);
    expect(body.warnings[0].message).toContain(weak);
    expect(body.warnings[0].message).toContain('without a password');
    if (!password.includes(weak) && password !== '') expect(JSON.stringify(body)).not.toContain(password);
    expect([await hasPassword(weak), await hasPassword(strong)]).toEqual([false, true]);
    expect((await sessionWith(strong, 'a sentence of mine')).status).toBe(200);
  });

  it('warns in a dry run and saves nothing', async () => {
    const before = await everything();
    const { status, body } = await send(fileOf(entry(fresh(), 'short')), { dry_run: true });
    expect([status, body.warnings.length]).toEqual([200, 1]);
    expect(await everything()).toEqual(before);
  });
});

describe('an existing account', () => {
  it('is not changed by POST, which does not warn about its password', async () => {
    const username = fresh();
    await post(fileOf(entry(username, testPassword)));
    const before = await everything();
    const { status, body } = await post(fileOf(entry(username, 'short')));
    expect([status, body.users, body.warnings]).toEqual([200, [], []]);
    expect(await everything()).toEqual(before);
  });

  it('keeps its password and sessions if PUT rejects the new one, and gets the other values', async () => {
    const username = fresh();
    await post(fileOf(entry(username, testPassword)));
    const { parts } = await openSession(server, username);
    const { status, body } = await put(fileOf(entry(username, 'short', ', name: Renamed')));
    expect([status, body.users]).toMatchObject([200, [{ username, name: 'Renamed' }]]);
    expect(body.warnings).toMatchObject([{ message: expect.stringContaining('stays unchanged'), line: 2 }]);
    expect((await server.call('getSession', parts)).status).toBe(200);
    expect((await sessionWith(username, testPassword)).status).toBe(200);
    const before = await everything();
    expect((await put(fileOf(entry(username, 'short', ', name: Renamed')))).body.users).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('without a password stays so if PUT rejects the new one, and gets an accepted one', async () => {
    const { username } = await importWithoutPassword();
    expect((await put(fileOf(entry(username, 'shorter')))).body.warnings).toHaveLength(1);
    expect(await hasPassword(username)).toBe(false);
    expect((await put(fileOf(entry(username, 'a sentence of mine')))).body.warnings).toEqual([]);
    expect((await sessionWith(username, 'a sentence of mine')).status).toBe(200);
  });
});

describe('an account that was imported without a password', () => {
  it('rejects every password like an unknown account', async () => {
    const { username } = await importWithoutPassword();
    const unknown = await sessionWith(fresh(), 'short');
    for (const password of ['short', '', 'null', testPassword]) {
      const { status, body, headers } = await sessionWith(username, password);
      expect([status, headers.get('www-authenticate')]).toEqual([401, unknown.headers.get('www-authenticate')]);
      expect({ ...body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    }
  });

  it('can request a password reset, unlike a service account, until an administrator deactivates it', async () => {
    const { id, username } = await importWithoutPassword();
    const service = fresh();
    await server.call('createUser', { body: { username: service, email: `${service}@example.org` } });
    // An import does not turn a service account into the account of a person.
    await put(fileOf(entry(service, 'short')));
    const requestedBy = async (login: string) => {
      await server.call('askPasswordReset', { as: null, body: { login } });
      return server.sql('delete from password_resets returning user_id::int');
    };
    expect(await requestedBy(username)).toEqual([{ user_id: id }]);
    expect(await requestedBy(service)).toEqual([{ user_id: null }]);
    await server.call('deleteUser', { params: { id } });
    expect(await requestedBy(username)).toEqual([{ user_id: null }]);
  });

  it('can sign in after an administrator sets its password', async () => {
    const { id, username } = await importWithoutPassword();
    await server.call('updateUser', { params: { id }, body: { password: testPassword } });
    expect((await sessionWith(username, testPassword)).status).toBe(200);
  });
});

describe('the last administrator', () => {
  it('cannot be replaced by an account without a password, and the error names the rejected password', async () => {
    const username = fresh();
    const before = await everything();
    const admin = '  - {username: admin, email: admin@example.org, roles: user}\n';
    const { status, body } = await put(fileOf(admin, entry(username, 'short', ', roles: admin')));
    expect([status, body.code]).toEqual([409, 'last_admin']);
    expect(body.detail).toContain('could sign in');
    const detail = expect.stringMatching(/^Line 3, column \d+: \/users\/1\/password must have at least 12 characters/);
    expect(body.errors).toMatchObject([{ pointer: '/config_definition', line: 3, detail }]);
    expect(await everything()).toEqual(before);
  });

  it('cannot be deactivated while the other administrator has no password', async () => {
    const { id } = await importWithoutPassword(', roles: admin');
    const deactivate = () => server.call('updateUser', { params: { id: 1 }, body: { active: false } });
    expect((await deactivate()).body.code).toBe('last_admin');
    await server.call('updateUser', { params: { id }, body: { password: testPassword } });
    expect((await deactivate()).status).toBe(200);
  });
});
