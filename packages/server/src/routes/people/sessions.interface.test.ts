/**
 * Browser sessions: the cookie and signing in. The token itself is neither stored nor logged.
 *
 * @module-tag sql
 */
import { request } from 'node:http';
import { sessionCookie } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { createSessionUsers, sameOriginHeaders, signIn, tokenOf } from '../../../testing/sessions.ts';

let server: TestServer;
let world: World;
let person: ReturnType<typeof createSessionUsers>['person'];
let codeOf: ReturnType<typeof createSessionUsers>['codeOf'];
let log = '';
beforeAll(async () => {
  server = await startTestServer({
    settings: { MILEPOST_TRUSTED_PROXIES: '127.0.0.1' },
    logTo: { write: (line: string) => void (log += line) },
  });
  world = createWorld(server);
  ({ person, codeOf } = createSessionUsers(server, world));
});
afterAll(() => server.stop());

describe('the session cookie', () => {
  it('is host-only, Secure, HttpOnly and SameSite, with a token of 256 bits (V3.3.1, V3.3.2, V3.3.3, V3.3.4, V7.2.3)', async () => {
    const { username } = await world.user();
    const answer = await signIn(server, username);
    const [cookie = '', ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^__Host-milepost=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
    expect(Buffer.from(tokenOf(answer), 'base64url')).toHaveLength(32);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('authenticates requests and identifies the user', async () => {
    const { id, userId, username, parts } = await person();
    const { body } = await server.call('getSession', parts);
    expect(body).toMatchObject({ id, user: { id: userId, username }, expires_at: expect.any(String) });
    const [row] = await server.sql<{ ends: Date }>(
      `select created_at + interval '12 hours' as ends from sessions where id = $1`,
      [id],
    );
    expect(Date.parse(body.expires_at)).toBe(row?.ends.getTime());
    expect((await server.call('listCohorts', parts)).status).toBe(200);
  });

  it('is found among other cookies', async () => {
    const { parts, cookie } = await person();
    const among = { ...parts, headers: { ...parts.headers, cookie: `a=b; ${cookie};c="__Host-milepost=x"` } };
    expect(await codeOf(among)).toBe('open');
  });

  it.each([
    ['has an unknown token', `${sessionCookie}=${'A'.repeat(43)}`],
    ['is empty', `${sessionCookie}=`],
    ['has an invalid token', `${sessionCookie}=%00'; drop table sessions`],
  ])('causes 401 and is not cleared if it %s, because a newer cookie could be cleared', async (_what, cookie) => {
    const { status, body, headers } = await server.call('listCohorts', {
      as: null,
      headers: { ...sameOriginHeaders, cookie },
    });
    expect([status, body.code]).toEqual([401, 'session_ended']);
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.has('www-authenticate')).toBe(false);
  });

  it('does not prevent signing in or public requests if it is invalid', async () => {
    const { username } = await world.user();
    const cookie = `${sessionCookie}=${'A'.repeat(43)}`;
    expect((await signIn(server, username, { headers: { cookie } })).status).toBe(201);
    expect((await fetch(`${server.origin}/-/versions`, { headers: { cookie } })).status).toBe(200);
  });

  it('is ignored if the request has explicit credentials', async () => {
    const [{ cookie }, other] = [await person(), await world.user()];
    const { body } = await server.call('getSession', { as: other.username, headers: { ...sameOriginHeaders, cookie } });
    expect(body).toMatchObject({ id: null, user: { id: other.id } });
  });
});

describe('signing in', () => {
  it('always creates a new token, regardless of the cookie that was sent (V7.2.2, V7.2.4)', async () => {
    const { username, cookie, token, parts } = await person();
    const planted = `${sessionCookie}=${'B'.repeat(43)}`;
    for (const sent of [cookie, planted]) {
      expect(await codeOf(parts)).toBe(sent === cookie ? 'open' : 'session_ended');
      const answer = await signIn(server, username, { headers: { cookie: sent } });
      expect(answer.status).toBe(201);
      expect([token, 'B'.repeat(43)]).not.toContain(tokenOf(answer));
    }
    expect(await codeOf({ ...parts, headers: { ...sameOriginHeaders, cookie: planted } })).toBe('session_ended');
  });

  it('works with the e-mail, regardless of case', async () => {
    const { id, username } = await world.user();
    expect((await signIn(server, `${username.toUpperCase()}@example.org`)).body.user.id).toBe(id);
  });

  it('returns the same error for an unknown name, a wrong password and an inactive user, and sets no cookie', async () => {
    const { username } = await world.user();
    await server.addUser('asleep', ['user'], false);
    const answers = [
      await signIn(server, username, { password: 'not the password' }),
      await signIn(server, 'nobody', {}),
      await signIn(server, 'asleep', {}),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.code]).toEqual([401, 'wrong_credentials']);
      expect(body.detail).toBe('The username or password is wrong, or the account is deactivated.');
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('counts failures together with those of HTTP Basic, for each client address that the proxy reports', async () => {
    const { username } = await world.user();
    const from = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https' };
    const wrong = { password: 'wrong', headers: from };
    for (let count = 0; count < 10; count++) expect((await signIn(server, username, wrong)).status).toBe(401);
    const refused = await signIn(server, username, { headers: from });
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_failures']);
    expect((await server.call('getSession', { as: username, headers: from })).status).toBe(429);
    expect((await signIn(server, username, { headers: { ...from, 'x-forwarded-for': '10.0.0.2' } })).status).toBe(201);
  });

  it('stores the client address and the first 300 characters of the user agent', async () => {
    const { username } = await world.user();
    const headers = { 'x-forwarded-for': '192.0.2.7', 'user-agent': 'x'.repeat(1000) };
    const { body } = await signIn(server, username, { headers });
    const { body: list } = await server.call('listSessions', { as: username });
    expect(list.sessions).toMatchObject([{ id: body.id, address: '192.0.2.7', user_agent: 'x'.repeat(300) }]);
  });

  it.each([
    ['over plain HTTP with a host name', { host: 'milepost.example.org' }, 403],
    ['behind a proxy that encrypts', { host: 'milepost.example.org', 'x-forwarded-proto': 'https' }, 201],
    ['behind a proxy that does not encrypt', { host: 'milepost.example.org', 'x-forwarded-proto': 'http' }, 403],
    [
      'from a page over plain HTTP, through a proxy that uses the host localhost',
      { origin: 'http://milepost.lan' },
      403,
    ],
    ['with a host name that starts like a loopback address', { host: '127.0.0.1.example.org' }, 403],
    ['on this machine as localhost', { host: 'localhost:8080', origin: 'http://localhost:8080' }, 201],
    ['on this machine by IPv4 address', { host: '127.0.0.1:8080' }, 201],
    ['on this machine by IPv6 address', { host: '[::1]:8080' }, 201],
  ])('%s (%j) returns %i', async (_what, headers, expected) => {
    const { username } = await world.user();
    const { status, code } = await post(
      '/session',
      { username, password: testPassword },
      { ...sameOriginHeaders, ...headers },
    );
    expect([status, code]).toEqual([expected, expected === 403 ? 'insecure_connection' : undefined]);
  });
});

/** Does not use fetch, which cannot set the Host header. */
async function post(path: string, body: object, headers: Record<string, string>) {
  const text = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      server.baseUrl + path,
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text: received }));
      },
    );
    sent.once('error', reject).end(JSON.stringify(body));
  });
  return { status: text.status, code: (JSON.parse(text.text) as { code?: string }).code };
}

describe('a session token', () => {
  it('is neither stored nor logged, and the history records signing in and out (V3.3.4, V16.2.5)', async () => {
    const { userId, id, token, parts } = await person();
    await server.call('listCohorts', parts);
    await server.call('signOut', parts);
    await codeOf(parts);
    const tables = await server.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    for (const { name } of tables) {
      const rows = await server.sql<{ text: string }>(`select ${name}::text as text from ${name}`);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
    expect(log).toContain('"operation":"signIn"');
    expect(log).not.toContain(token);
    const entries = await server.sql(
      `select operation, actor_id::int, before, after from history_with_values where object_kind = 'user' and object_id = $1 order by id offset 1`,
      [userId],
    );
    const after = { session_id: id, address: '127.0.0.1', user_agent: 'node' };
    expect(entries).toEqual([
      { operation: 'signIn', actor_id: userId, before: null, after },
      { operation: 'signOut', actor_id: userId, before: { session_id: id }, after: null },
    ]);
  });
});
