/** Parameters and credentials are accepted only once and only in their own part of a request. */
import { basic, operations, sessionCookie, type Operation } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../testing/server.ts';
import { openSession, sameOriginHeaders } from '../testing/sessions.ts';
import { createTestToken } from '../testing/tokens.ts';

let server: TestServer;
let token: string;
let session: string;
beforeAll(async () => {
  server = await startTestServer();
  const [owner] = await server.sql<{ id: number; username: string }>(
    `select id::int, username from users where username = 'admin'`,
  );
  ({ token } = await createTestToken(server, owner ?? { id: 0, username: '' }, ['user_read']));
  session = (await openSession(server, 'admin')).token;
});
afterAll(() => server.stop());

const admin = { authorization: basic('admin', testPassword) };
const send = (method: string, path: string, headers: Record<string, string> = admin, body?: object) =>
  fetch(server.baseUrl + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const statusOf = async (...parts: Parameters<typeof send>) => (await send(...parts)).status;

const createCohort = async (label: string) =>
  ((await (await send('POST', '/cohorts', admin, { label })).json()) as { id: number }).id;

/** Each query parameter of each GET operation. */
const parameters = Object.entries<Operation>(operations)
  .filter(([, { method, stream }]) => method === 'GET' && !stream)
  .flatMap(([name, { path, query }]) =>
    Object.keys(query?.properties ?? {}).map((parameter) => [parameter, name, path] as const),
  );

describe('a parameter', () => {
  it.each(parameters)('such as %s of %s is rejected if given twice (V15.3.7)', async (parameter, _name, path) => {
    const filled = path.replaceAll(/\{\w+\}/g, '1');
    const response = await send('GET', `${filled}?${parameter}=1&${parameter}=2`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer: `?${parameter}` })]),
    });
  });

  it('is read only from its own part of the request (V15.3.7)', async () => {
    expect(await statusOf('POST', '/cohorts?label=other', admin, { label: 'mine' })).toBe(400);
    expect(await statusOf('POST', '/cohorts?label=other', admin, {})).toBe(400);
    expect(await statusOf('GET', '/cohorts/1?id=2')).toBe(400);
    expect(await statusOf('PUT', '/cohorts/1?id=2', admin, { description: 'x' })).toBe(400);
    const [one, two] = [await createCohort('one'), await createCohort('two')];
    await send('PUT', `/cohorts/${one}`, admin, { id: two, description: 'of one' });
    const shown = (await (await send('GET', `/cohorts/${two}`)).json()) as Record<string, unknown>;
    expect([shown['label'], shown['description'] === 'of one']).toEqual(['two', false]);
    const elsewhere = { ...admin, limit: '1', cookie: 'limit=1' };
    expect(((await (await send('GET', '/cohorts', elsewhere)).json()) as { cohorts: unknown[] }).cohorts).toHaveLength(
      2,
    );
  });

  it('is rejected if it occurs twice in a body (V15.3.7)', async () => {
    const headers = { ...admin, 'content-type': 'application/json' };
    const body = '{"label": "first", "label": "second"}';
    const response = await fetch(`${server.baseUrl}/cohorts`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });
});

/** Valid credentials in the wrong part of the request. */
const misplaced: [string, () => [query: string, headers: Record<string, string>]][] = [
  ['a token in the query parameter access_token', () => [`?access_token=${token}`, {}]],
  ['a token in the query parameter token', () => [`?token=${token}`, {}]],
  ['a token in the query parameter api_key', () => [`?api_key=${token}`, {}]],
  ['a session in the query string', () => [`?${sessionCookie}=${session}`, sameOriginHeaders]],
  ['a token as X-Api-Key', () => ['', { 'x-api-key': token }]],
  ['a token as X-Auth-Token', () => ['', { 'x-auth-token': token }]],
  ['a token with a scheme other than Bearer', () => ['', { authorization: `Token ${token}` }]],
  ['a token without a scheme', () => ['', { authorization: token }]],
  ['a token as a Basic password', () => ['', { authorization: basic('admin', token) }]],
  ['a token as a cookie', () => ['', { ...sameOriginHeaders, cookie: `${sessionCookie}=${token}` }]],
  ['a session as a bearer token', () => ['', { authorization: `Bearer ${session}` }]],
  ['a session cookie without the name prefix', () => ['', { ...sameOriginHeaders, cookie: `milepost=${session}` }]],
  ['a password as a bearer token', () => ['', { authorization: `Bearer ${testPassword}` }]],
  [
    'a password with the Digest scheme',
    () => ['', { authorization: `Digest username="admin", password="${testPassword}"` }],
  ],
  ['proxy credentials', () => ['', { 'proxy-authorization': admin.authorization }]],
  ['a username header as set by a proxy', () => ['', { 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' }]],
  [
    'a client certificate header as set by a proxy',
    () => ['', { 'x-ssl-client-verify': 'SUCCESS', 'x-ssl-client-s-dn': 'CN=admin' }],
  ],
];

describe('authentication', () => {
  it.each(misplaced)('rejects %s (V6.3.4, V14.2.1)', async (_what, parts) => {
    const [query, headers] = parts();
    expect(await statusOf('GET', `/cohorts${query}`, headers)).toBe(401);
  });

  it('accepts a token in the Authorization header and a session in the session cookie', async () => {
    expect(await statusOf('GET', '/cohorts', { authorization: `Bearer ${token}` })).toBe(200);
    expect(await statusOf('GET', '/cohorts', { ...sameOriginHeaders, cookie: `${sessionCookie}=${session}` })).toBe(
      200,
    );
  });
});
