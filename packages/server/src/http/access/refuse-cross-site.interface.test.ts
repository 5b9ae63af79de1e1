/** Requests that a browser sends with a user's credentials, from our pages and from other sites. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { openSession } from '../../../testing/sessions.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ cookie } = await openSession(server, 'admin'));
});
afterAll(() => server.stop());

let count = 0;
const create = async (headers: Record<string, string>, as: string | null = null) => {
  const { status, body } = await server.call('createCohort', { as, headers, body: { label: `cohort ${++count}` } });
  return status === 201 ? 'done' : body.code;
};
const stored = async () => (await server.sql('select from cohorts')).length;
const ours = 'https://milepost.example.org';
const evil = 'https://evil.example.org';

describe('a change with a session cookie', () => {
  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: ours },
    { origin: ours },
  ])('and the headers %j is accepted', async (headers) => {
    const before = await stored();
    expect(await create({ cookie, ...headers })).toBe('done');
    expect((await stored()) - before).toBe(1);
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: ours },
    { 'sec-fetch-site': '' },
    { origin: evil },
    { origin: 'http://milepost.example.org' },
    { origin: `${ours}.evil.example.org` },
    { origin: 'null' },
    { origin: '' },
    { referer: `${ours}/` },
    {},
  ])('and the headers %j is rejected', async (headers) => {
    const before = await stored();
    expect(await create({ cookie, ...headers })).toBe('cross_site');
    expect((await stored()) - before).toBe(0);
  });

  it('is accepted from the address on which the server listens', async () => {
    expect(await create({ cookie, origin: server.origin })).toBe('done');
  });

  it('is rejected from another site for every method that changes data (V3.5.1)', async () => {
    for (const name of ['updateCohort', 'signOut', 'endSession'] as const) {
      const { body } = await server.call(name, { as: null, headers: { cookie, origin: evil }, params: { id: 1 } });
      expect(body.code).toBe('cross_site');
    }
  });
});

describe('reading with a session cookie', () => {
  it.each([{}, { 'sec-fetch-site': 'cross-site' }, { origin: evil }])(
    'succeeds with the headers %j',
    async (headers) => {
      const { status, headers: received } = await server.call('listCohorts', {
        as: null,
        headers: { cookie, ...headers },
      });
      expect(status).toBe(200);
      // The request succeeds, but no page of another origin may read the response.
      expect(received.has('access-control-allow-origin')).toBe(false);
    },
  );
});

describe('credentials remembered by a browser', () => {
  it.each(['cross-site', 'same-site'])('are rejected with Sec-Fetch-Site %s', async (site) => {
    expect(await create({ 'sec-fetch-site': site }, 'admin')).toBe('cross_site');
  });

  it.each(['same-origin', 'none'])('are accepted with Sec-Fetch-Site %s', async (site) => {
    expect(await create({ 'sec-fetch-site': site }, 'admin')).toBe('done');
  });

  it('are accepted from programs, which send no Sec-Fetch-Site', async () => {
    expect(await create({}, 'admin')).toBe('done');
  });
});

describe('signing in', () => {
  it.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 201],
  ])('with Sec-Fetch-Site %s returns %i', async (site, expected) => {
    const body = { username: 'admin', password: testPassword };
    const { status } = await server.call('signIn', { as: null, headers: { 'sec-fetch-site': site }, body });
    expect(status).toBe(expected);
  });

  it('returns 415 for a form submitted from another site, because forms cannot send JSON (V3.5.2)', async () => {
    const body = `{"username": "admin", "password": "${testPassword}", "x": "="}`;
    const headers = { 'content-type': 'text/plain' };
    const { status } = await fetch(`${server.baseUrl}/session`, { method: 'POST', headers, body });
    expect(status).toBe(415);
  });
});
