/** The process as its operator meets it: starting, refusing to start, ending. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLockWaits } from '../testing/held-table.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../testing/postgres.ts';
import { startServerProcess } from '../testing/server-process.ts';

const program = fileURLToPath(new URL('./bin/serve.ts', import.meta.url));
const password = 'correct horse battery staple';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs the program until it ends by itself. */
async function run(settings: Record<string, string>) {
  const defaults = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0', MILEPOST_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--conditions=source', program], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...defaults, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'exit')]);
  return { code: child.exitCode, output: output.join(''), errors: errors.join('') };
}

describe('the server refuses to start', () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ['without a database', () => ({}), /DATABASE_URL is not set/],
    [
      'with a database that nobody serves',
      () => ({ DATABASE_URL: 'postgresql://milepost@127.0.0.1:1/milepost' }),
      /^The database cannot be used: nobody listens there .* that DATABASE_URL leads to it/,
    ],
    [
      'with a password that the database refuses',
      () => ({ DATABASE_URL: database.databaseUrl.replace(/:[^:@]*@/, ':not-that-of-the-role@') }),
      /^The database cannot be used: password authentication failed/,
    ],
    [
      'for others without a public address',
      () => ({ DATABASE_URL: database.databaseUrl, MILEPOST_HOST: '0.0.0.0' }),
      /MILEPOST_HOST is 0\.0\.0\.0, which others can reach: set MILEPOST_PUBLIC_URL/,
    ],
    [
      'with a database role that could rewrite the history',
      () => ({ DATABASE_URL: database.ownerUrl }),
      /could rewrite the history/,
    ],
    [
      'with a first password that is easily guessed',
      () => ({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: 'password1234' }),
      /among the passwords that are tried first/,
    ],
    [
      'with a database password that is a placeholder',
      () => ({ DATABASE_URL: 'postgresql://milepost_app:change-me-please@127.0.0.1:1/milepost' }),
      /^The settings need attention:\n {2}- DATABASE_URL is "\(hidden\)": its secret is among .* `openssl rand -hex 24`/,
    ],
    [
      'with a first account that nobody could have made',
      () => ({
        DATABASE_URL: database.databaseUrl,
        MILEPOST_ADMIN_EMAIL: 'foo',
        MILEPOST_ADMIN_USERNAME: 'a:b',
      }),
      /MILEPOST_ADMIN_USERNAME is "a:b": it must .*\n.*MILEPOST_ADMIN_EMAIL is "foo": it must be an e-mail address/,
    ],
  ])('%s, in one sentence', async (_circumstance, settings, message) => {
    const { code, errors } = await run(settings());
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toContain('    at ');
  });

  it('on a port in use, and has not made the first account then', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await run({ DATABASE_URL: database.databaseUrl, MILEPOST_PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toContain(`127.0.0.1:${port} is in use by another program: stop it, or set MILEPOST_PORT.`);
    const { rows } = await withClient(database.ownerUrl, (client) => client.query('select from users'));
    expect(rows).toHaveLength(0);
  });

  it('on a database that lacks migrations, naming them', async () => {
    const empty = await createTestDatabase({ empty: true });
    const { code, errors } = await run({ DATABASE_URL: empty.databaseUrl });
    await empty.drop();
    expect(code).toBe(1);
    expect(errors).toContain('lacks the migrations 0001_people');
  });
});

describe('a running server', () => {
  it('makes the first account once, however many processes start at once', async () => {
    const fresh = await createTestDatabase();
    const settings = { DATABASE_URL: fresh.databaseUrl, MILEPOST_ADMIN_PASSWORD: password };
    const servers = await Promise.all([1, 2, 3].map(() => startServerProcess(settings)));
    const answers = await Promise.all(
      servers.map(({ baseUrl }) => fetch(`${baseUrl}/users`, { headers: { authorization: basic('admin', password) } })),
    );
    for (const answer of answers) expect(await answer.json()).toMatchObject({ users: [{ username: 'admin' }] });
    await Promise.all(servers.map((server) => server.stop()));
    await fresh.drop();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s with 0, after the request that is running', async (signal) => {
    const settings = { DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password };
    const server = await startServerProcess(settings);
    const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
    // A request that waits for a lock when the signal comes, and gets it afterwards.
    const answer = await withClient(database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table cohorts in exclusive mode');
      const body = JSON.stringify({ label: `made during ${signal}` });
      const running = fetch(`${server.baseUrl}/cohorts`, { method: 'POST', headers, body });
      await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
      const stopped = server.stop(signal);
      await client.query('commit');
      return { status: (await running).status, code: await stopped };
    });
    expect(answer).toEqual({ status: 201, code: 0 });
  });

  it('sends others elsewhere before it ends, and answers meanwhile', async () => {
    const settings = { DATABASE_URL: database.databaseUrl, MILEPOST_LEAVE_SECONDS: '10' };
    const server = await startServerProcess(settings);
    const ready = () => fetch(`${server.url}/-/ready`);
    expect((await ready()).headers.get('connection')).toBe('keep-alive');
    const stopped = server.stop('SIGTERM');
    await expect.poll(async () => (await ready()).status, { interval: 20 }).toBe(503);
    const healthy = await fetch(`${server.url}/-/healthy`);
    expect([healthy.status, healthy.headers.get('connection')]).toEqual([200, 'close']);
    expect(await stopped).toBe(0);
  });

  it('says whether it is up, ready, and which versions it speaks', async () => {
    const server = await startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
    const get = async (path: string) => (await fetch(server.url + path)).json();
    expect(await get('/-/healthy')).toEqual({ healthy: true });
    expect(await get('/-/ready')).toEqual({ ready: true });
    expect(await get('/-/versions')).toEqual({ version: expect.any(String), api_versions: { '2.0': '/api/v2' } });
    expect(Object.keys((await get('/api/v2/openapi.json')) as object)).toContain('openapi');
    expect(await server.metric('milepost_streams')).toBe(0);
    await server.stop();
  });
});
