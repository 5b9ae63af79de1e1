/** Two servers on one database: what happens to a session in one acts at the next request in the other. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { ownPage } from '../../testing/sessions.ts';
import { startTwoServers } from '../../testing/two-servers.ts';

let one: ServerProcess;
let other: ServerProcess;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ one, other, stop } = await startTwoServers());
});
afterAll(() => stop());

const json = { 'content-type': 'application/json' };
const asAdmin = (method: string, path: string, body?: object) =>
  fetch(other.baseUrl + path, {
    method,
    headers: { authorization: basic('admin', testPassword), ...(body && json) },
    ...(body && { body: JSON.stringify(body) }),
  });

let people = 0;
async function person() {
  const username = `person${++people}`;
  const body = { username, email: `${username}@example.org`, password: testPassword };
  const { id } = (await (await asAdmin('POST', '/users', body)).json()) as { id: number };
  const signedIn = await fetch(`${one.baseUrl}/session`, {
    method: 'POST',
    headers: { ...json, ...ownPage },
    body: JSON.stringify({ username, password: testPassword }),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  return { id, username, headers: { ...ownPage, cookie: cookie.split(';', 1)[0] ?? '' } };
}
type Headers = Awaited<ReturnType<typeof person>>['headers'];

const statuses = async (path: string, headers: Headers) =>
  Promise.all([one, other].map(async ({ baseUrl }) => (await fetch(baseUrl + path, { headers })).status));

describe('a session that began in one process', () => {
  it('is open in both, and a role given or taken in the other acts at the next request (V7.2.1)', async () => {
    const { username, headers } = await person();
    expect(await statuses('/session', headers)).toEqual([200, 200]);
    expect(await statuses('/users', headers)).toEqual([403, 403]);
    await asAdmin('PUT', `/users/${username}/roles/admin`);
    expect(await statuses('/users', headers)).toEqual([200, 200]);
    await asAdmin('DELETE', `/users/${username}/roles/admin`);
    expect(await statuses('/users', headers)).toEqual([403, 403]);
  });

  it.each([
    ['a new password', 'PUT', { password: 'another fine sentence' }],
    ['a deactivation', 'DELETE', undefined],
  ])('is over in both at the next request after %s in the other', async (_what, method, body) => {
    const { id, headers } = await person();
    expect(await statuses('/session', headers)).toEqual([200, 200]);
    expect((await asAdmin(method, `/users/${id}`, body)).status).toBe(200);
    expect(await statuses('/session', headers)).toEqual([401, 401]);
  });

  it('is over in both at the next request after signing out in the other', async () => {
    const { headers } = await person();
    const out = await fetch(`${other.baseUrl}/session`, { method: 'DELETE', headers });
    expect(await out.json()).toEqual({ ended: true });
    expect(await statuses('/session', headers)).toEqual([401, 401]);
  });
});
