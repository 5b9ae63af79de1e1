/** Two servers on one database: failed sign-ins count together, whichever of them was asked. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../testing/postgres.ts';
import { testPassword } from '../../testing/server.ts';
import { ownPage } from '../../testing/sessions.ts';
import { startTwoServers, type TwoServers } from '../../testing/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers({ MILEPOST_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => servers.stop());

const json = { 'content-type': 'application/json' };
/** The first, the second, the first again. */
const serverOf = (turn: number) => (turn % 2 === 0 ? servers.one : servers.other).baseUrl;

let people = 0;
/** Somebody at an address of their own. */
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
    headers: { ...from, ...json, ...ownPage },
    body: JSON.stringify({ username, password }),
  });

const expectRefused = async (answer: Response) => {
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
  it('close the account to that address in both, for Basic and for the page', async () => {
    const somebody = await person();
    for (let turn = 0; turn < 10; turn++) {
      const way = turn % 4 < 2 ? byBasic : byPage;
      expect((await way(somebody, turn, `wrong ${turn}`)).status).toBe(401);
    }
    for (const turn of [0, 1])
      for (const way of [byBasic, byPage]) await expectRefused(await way(somebody, turn, testPassword));
    const elsewhere = { ...somebody, from: { ...somebody.from, 'x-forwarded-for': '10.2.0.1' } };
    expect((await byBasic(elsewhere, 1, testPassword)).status).toBe(200);
  });

  it('of current_password count as well', async () => {
    const somebody = await person();
    const signedIn = await byPage(somebody, 0, testPassword);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const change = (turn: number) =>
      fetch(`${serverOf(turn)}/users/${somebody.id}`, {
        method: 'PUT',
        headers: { ...somebody.from, ...json, ...ownPage, cookie },
        body: JSON.stringify({ password: 'another fine sentence', current_password: `wrong ${turn}` }),
      });
    for (let turn = 0; turn < 10; turn++) expect((await change(turn)).status).toBe(403);
    await expectRefused(await change(10));
    await expectRefused(await change(11));
    await expectRefused(await byPage(somebody, 1, 'wrong'));
  });

  it('stay when the right password came to one of them', async () => {
    const somebody = await person();
    for (let turn = 0; turn < 9; turn++) expect((await byBasic(somebody, turn, `wrong ${turn}`)).status).toBe(401);
    for (const turn of [0, 1]) expect((await byBasic(somebody, turn, testPassword)).status).toBe(200);
    expect((await byBasic(somebody, 0, 'wrong')).status).toBe(401);
    await expectRefused(await byBasic(somebody, 1, 'wrong'));
  });

  it('are not exceeded by forty guesses sent to both at once', async () => {
    const somebody = await person();
    const guesses = Array.from({ length: 40 }, (_, turn) => byBasic(somebody, turn, `wrong ${turn}`));
    expect(await statusesOf(guesses)).toEqual({ 401: 10, 429: 30 });
  });

  it('are not exceeded by forty guesses with both names, of which twenty are answered and ten were tried', async () => {
    const somebody = await person();
    const byMail = { ...somebody, username: `${somebody.username}@example.org` };
    const guesses = Array.from({ length: 40 }, (_, turn) =>
      byBasic(turn % 4 < 2 ? somebody : byMail, turn, `wrong ${turn}`),
    );
    expect(await statusesOf(guesses)).toEqual({ 401: 20, 429: 20 });
    const counts = await withClient(
      servers.database.ownerUrl,
      async (client) => (await client.query('select count from sign_in_failures order by since desc limit 3')).rows,
    );
    expect(counts).toEqual([{ count: 10 }, { count: 10 }, { count: 10 }]);
  });
});

describe('where failures cannot be counted', () => {
  it('nobody is let in who was not before, not even with the right password (V16.5.3)', async () => {
    const [somebody, remembered] = [await person(), await person()];
    expect((await byBasic(remembered, 0, testPassword)).status).toBe(200);
    await withClient(servers.database.ownerUrl, async (client) => {
      await client.query('begin; lock table sign_in_failures in access exclusive mode');
      // Who was let in a moment ago costs no count, and so needs none.
      expect((await byBasic(remembered, 0, testPassword)).status).toBe(200);
      expect((await byBasic(somebody, 0, testPassword)).status).toBe(503);
      await client.query('rollback');
    });
    expect((await byBasic(somebody, 0, testPassword)).status).toBe(200);
  });

  it('as the database is gone, everybody is told to come back', async () => {
    const somebody = await person();
    expect((await byBasic(somebody, 0, testPassword)).status).toBe(200);
    const name = new URL(servers.database.databaseUrl).pathname.slice(1);
    await withClient(servers.database.superuserUrl.replace(/\/[^/]*$/, '/postgres'), async (client) => {
      await client.query(`alter database ${name} connection limit 0`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const left = async () =>
        (await client.query('select pid from pg_stat_activity where datname = $1', [name])).rowCount;
      await expect.poll(left).toBe(0);
      for (const turn of [0, 1]) {
        const answer = await byBasic(somebody, turn, testPassword);
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      await client.query(`alter database ${name} connection limit -1`);
    });
    await expect.poll(async () => (await byBasic(somebody, 0, testPassword)).status).toBe(200);
  });
});
