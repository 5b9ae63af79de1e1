/** Two servers on one database: a change of a session on one applies to the next request on the other. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../testing/processes/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { sameOriginHeaders } from '../../testing/sessions.ts';
import { startTwoServers } from '../../testing/processes/two-servers.ts';

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

let userCount = 0;
async function signedInUser() {
  const username = `user${++userCount}`;
  const body = { username, email: `${username}@example.org`, password: testPassword };
  const { id } = (await (await asAdmin('POST', '/users', body)).json()) as { id: number };
  const signedIn = await fetch(`${one.baseUrl}/session`, {
    method: 'POST',
    headers: { ...json, ...sameOriginHeaders },
    body: JSON.stringify({ username, password: testPassword }),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  return { id, username, headers: { ...sameOriginHeaders, cookie: cookie.split(';', 1)[0] ?? '' } };
}
type Headers = Awaited<ReturnType<typeof signedInUser>>['headers'];

const statuses = async (path: string, headers: Headers) =>
  Promise.all([one, other].map(async ({ baseUrl }) => (await fetch(baseUrl + path, { headers })).status));

describe('a session that started on one server', () => {
  it('is valid on both servers, and a change of roles applies to its next request (V7.2.1)', async () => {
    const { username, headers } = await signedInUser();
    expect(await statuses('/session', headers)).toEqual([200, 200]);
    expect(await statuses('/users', headers)).toEqual([403, 403]);
    await asAdmin('PUT', `/users/${username}/roles/admin`);
    expect(await statuses('/users', headers)).toEqual([200, 200]);
    await asAdmin('DELETE', `/users/${username}/roles/admin`);
    expect(await statuses('/users', headers)).toEqual([403, 403]);
  });

  it.each([
    ['a new password', 'PUT', { password: 'another fine sentence' }],
    ['the deactivation of its user', 'DELETE', undefined],
  ])('ends on both servers after %s on the other server', async (_what, method, body) => {
    const { id, headers } = await signedInUser();
    expect(await statuses('/session', headers)).toEqual([200, 200]);
    expect((await asAdmin(method, `/users/${id}`, body)).status).toBe(200);
    expect(await statuses('/session', headers)).toEqual([401, 401]);
  });

  it('ends on both servers after its user signs out on the other server', async () => {
    const { headers } = await signedInUser();
    const out = await fetch(`${other.baseUrl}/session`, { method: 'DELETE', headers });
    expect(await out.json()).toEqual({ ended: true });
    expect(await statuses('/session', headers)).toEqual([401, 401]);
  });
});
