/** Failed sign-ins are counted across two servers on one database. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../testing/test-database.ts';
import { testPassword } from '../../testing/server.ts';
import { sameOriginHeaders } from '../../testing/sessions.ts';
import { startTwoServers, type TwoServers } from '../../testing/processes/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers({ MILEPOST_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => servers.stop());

const json = { 'content-type': 'application/json' };
/** Alternates between the two servers. */
const serverOf = (turn: number) => (turn % 2 === 0 ? servers.one : servers.other).baseUrl;

let people = 0;
/** Creates a user with an address of their own. */
async function person() {
  const username = `person${++people}`;
  const body = JSON.stringify({ username, email: `${username}@example.org`, password: testPassword });
  const headers = { ...json, authorization: basic('admin', testPassword) };
  const { id } = (await (await fetch(`${serverOf(0)}/users`, { method: 'POST', headers, body })).json()) as {
    id: number;
  };
  return { id, username, from: { 'x-forwarded-for': `10.1.0.${people}`, 'x-forwarded-proto': 'https' } };
}
type Person = Awaited<ReturnType<typeof person>>;

const byBasic = ({ username, from }: Person, turn: number, password: string) =>
  fetch(`${serverOf(turn)}/session`, { headers: { ...from, authorization: basic(username, password) } });
const byPage = ({ username, from }: Person, turn: number, password: string) =>
  fetch(`${serverOf(turn)}/session`, {
    method: 'POST',
    headers: { ...from, ...json, ...sameOriginHeaders },
    body: JSON.stringify({ username, password }),
  });

const expectRejected = async (answer: Response) => {
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([429, 'too_many_failures']);
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(900);
};

const statusesOf = async (answers: Promise<Response>[]) => {
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((same) => same === one).length]));
};

describe('ten failures spread over two servers', () => {
  it('lock the account for that address on both servers, for HTTP Basic and for the page', async () => {
    const user = await person();
    for (let turn = 0; turn < 10; turn++) {
      const signIn = turn % 4 < 2 ? byBasic : byPage;
      expect((await signIn(user, turn, `wrong ${turn}`)).status).toBe(401);
    }
    for (const turn of [0, 1])
      for (const signIn of [byBasic, byPage]) await expectRejected(await signIn(user, turn, testPassword));
    const elsewhere = { ...user, from: { ...user.from, 'x-forwarded-for': '10.2.0.1' } };
    expect((await byBasic(elsewhere, 1, testPassword)).status).toBe(200);
  });

  it('lock the account even if each failure was a wrong current_password', async () => {
    const user = await person();
    const signedIn = await byPage(user, 0, testPassword);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const change = (turn: number) =>
      fetch(`${serverOf(turn)}/users/${user.id}`, {
        method: 'PUT',
        headers: { ...user.from, ...json, ...sameOriginHeaders, cookie },
        body: JSON.stringify({ password: 'another fine sentence', current_password: `wrong ${turn}` }),
      });
    for (let turn = 0; turn < 10; turn++) expect((await change(turn)).status).toBe(403);
    await expectRejected(await change(10));
    await expectRejected(await change(11));
    await expectRejected(await byPage(user, 1, 'wrong'));
  });

  it('lock the account even after successful sign-ins in between', async () => {
    const user = await person();
    for (let turn = 0; turn < 9; turn++) expect((await byBasic(user, turn, `wrong ${turn}`)).status).toBe(401);
    for (const turn of [0, 1]) expect((await byBasic(user, turn, testPassword)).status).toBe(200);
    expect((await byBasic(user, 0, 'wrong')).status).toBe(401);
    await expectRejected(await byBasic(user, 1, 'wrong'));
  });

  it('are the limit even for forty guesses sent to both servers at the same time', async () => {
    const user = await person();
    const guesses = Array.from({ length: 40 }, (_, turn) => byBasic(user, turn, `wrong ${turn}`));
    expect(await statusesOf(guesses)).toEqual({ 401: 10, 429: 30 });
  });

  it('are the limit for each of username and e-mail, even if forty guesses arrive at the same time', async () => {
    const user = await person();
    const byMail = { ...user, username: `${user.username}@example.org` };
    const guesses = Array.from({ length: 40 }, (_, turn) =>
      byBasic(turn % 4 < 2 ? user : byMail, turn, `wrong ${turn}`),
    );
    expect(await statusesOf(guesses)).toEqual({ 401: 20, 429: 20 });
    const counts = await withClient(
      servers.database.ownerUrl,
      async (client) => (await client.query('select count from sign_in_failures order by since desc limit 3')).rows,
    );
    expect(counts).toEqual([{ count: 10 }, { count: 10 }, { count: 10 }]);
  });
});

describe('a sign-in', () => {
  it('succeeds only with cached credentials while failures cannot be counted (V16.5.3)', async () => {
    const [user, remembered] = [await person(), await person()];
    expect((await byBasic(remembered, 0, testPassword)).status).toBe(200);
    await withClient(servers.database.ownerUrl, async (client) => {
      await client.query('begin; lock table sign_in_failures in access exclusive mode');
      // A cached check needs no counter.
      expect((await byBasic(remembered, 0, testPassword)).status).toBe(200);
      expect((await byBasic(user, 0, testPassword)).status).toBe(503);
      await client.query('rollback');
    });
    expect((await byBasic(user, 0, testPassword)).status).toBe(200);
  });

  it('returns 503 while the database is down, even with cached credentials', async () => {
    const user = await person();
    expect((await byBasic(user, 0, testPassword)).status).toBe(200);
    const name = new URL(servers.database.databaseUrl).pathname.slice(1);
    await withClient(servers.database.superuserUrl.replace(/\/[^/]*$/, '/postgres'), async (client) => {
      await client.query(`alter database ${name} connection limit 0`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const left = async () =>
        (await client.query('select pid from pg_stat_activity where datname = $1', [name])).rowCount;
      await expect.poll(left).toBe(0);
      for (const turn of [0, 1]) {
        const answer = await byBasic(user, turn, testPassword);
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      await client.query(`alter database ${name} connection limit -1`);
    });
    await expect.poll(async () => (await byBasic(user, 0, testPassword)).status).toBe(200);
  });
});
