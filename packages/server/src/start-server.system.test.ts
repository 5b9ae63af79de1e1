/** The server process: starting, refusing to start, stopping. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLockWaits } from '../testing/pause-at-lock.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../testing/test-database.ts';
import { startServerProcess } from '../testing/processes/server-process.ts';

const program = fileURLToPath(new URL('./bin/serve.ts', import.meta.url));
const password = 'correct horse battery staple';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Runs the program until it exits. */
async function run(settings: Record<string, string>) {
  const defaults = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0', MILEPOST_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--conditions=source', program], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...defaults, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'exit')]);
  return { code: child.exitCode, output: output.join(''), errors: errors.join('') };
}

describe('the server', () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ['without a database', () => ({}), /DATABASE_URL is required/],
    [
      'with a database that is not running',
      () => ({ DATABASE_URL: 'postgresql://milepost@127.0.0.1:1/milepost' }),
      /^Cannot use the database: .* that DATABASE_URL is correct/,
    ],
    [
      'with a password that the database rejects',
      () => ({ DATABASE_URL: database.databaseUrl.replace(/:[^:@]*@/, ':not-that-of-the-role@') }),
      /^Cannot use the database: password authentication failed/,
    ],
    [
      'on a public interface without a public URL',
      () => ({ DATABASE_URL: database.databaseUrl, MILEPOST_HOST: '0.0.0.0' }),
      /MILEPOST_HOST is 0\.0\.0\.0, .* Set MILEPOST_PUBLIC_URL/,
    ],
    [
      'with a database role that could rewrite the history',
      () => ({ DATABASE_URL: database.ownerUrl }),
      /could rewrite the history/,
    ],
    [
      'with a common password for the first account',
      () => ({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: 'password1234' }),
      /is too common/,
    ],
    [
      'with a database password that is a placeholder',
      () => ({ DATABASE_URL: 'postgresql://milepost_app:change-me-please@127.0.0.1:1/milepost' }),
      /^Invalid settings:\n {2}- DATABASE_URL is "\(hidden\)": the secret is .* `openssl rand -hex 24`/,
    ],
    [
      'with an invalid first account',
      () => ({
        DATABASE_URL: database.databaseUrl,
        MILEPOST_ADMIN_EMAIL: 'foo',
        MILEPOST_ADMIN_USERNAME: 'a:b',
      }),
      /MILEPOST_ADMIN_USERNAME is "a:b": it must .*\n.*MILEPOST_ADMIN_EMAIL is "foo": it must be an e-mail address/,
    ],
  ])('refuses to start %s and prints a short message', async (_circumstance, settings, message) => {
    const { code, errors } = await run(settings());
    expect(code).toBe(1);
    expect(errors).toMatch(message);
    expect(errors).not.toContain('    at ');
  });

  it('refuses to start on a port in use and does not create the first account', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await run({ DATABASE_URL: database.databaseUrl, MILEPOST_PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toContain(`127.0.0.1:${port} is in use by another program. Stop it, or change MILEPOST_PORT.`);
    const { rows } = await withClient(database.ownerUrl, (client) => client.query('select from users'));
    expect(rows).toHaveLength(0);
  });

  it('refuses to start on a database without migrations and names the missing ones', async () => {
    const empty = await createTestDatabase({ empty: true });
    const { code, errors } = await run({ DATABASE_URL: empty.databaseUrl });
    await empty.drop();
    expect(code).toBe(1);
    expect(errors).toContain('Migrations are pending: 0001_people');
  });
});

describe('a running server', () => {
  it('creates the first account once, even if several processes start at the same time', async () => {
    const fresh = await createTestDatabase();
    const settings = { DATABASE_URL: fresh.databaseUrl, MILEPOST_ADMIN_PASSWORD: password };
    const servers = await Promise.all([1, 2, 3].map(() => startServerProcess(settings)));
    const responses = await Promise.all(
      servers.map(({ baseUrl }) => fetch(`${baseUrl}/users`, { headers: { authorization: basic('admin', password) } })),
    );
    for (const response of responses) expect(await response.json()).toMatchObject({ users: [{ username: 'admin' }] });
    await Promise.all(servers.map((server) => server.stop()));
    await fresh.drop();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('completes the running request and exits with 0 on %s', async (signal) => {
    const settings = { DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password };
    const server = await startServerProcess(settings);
    const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
    // The request waits for a lock when the signal arrives, and gets it afterwards.
    const outcome = await withClient(database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table cohorts in exclusive mode');
      const body = JSON.stringify({ label: `made during ${signal}` });
      const running = fetch(`${server.baseUrl}/cohorts`, { method: 'POST', headers, body });
      await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
      const stopped = server.stop(signal);
      await client.query('commit');
      return { status: (await running).status, code: await stopped };
    });
    expect(outcome).toEqual({ status: 201, code: 0 });
  });

  it('reports not ready before it stops, and serves requests until then', async () => {
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

  it('reports its health, readiness and versions', async () => {
    const server = await startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
    const get = async (path: string) => (await fetch(server.url + path)).json();
    expect(await get('/-/healthy')).toEqual({ healthy: true });
    expect(await get('/-/ready')).toEqual({ ready: true });
    expect(await get('/-/versions')).toEqual({
      version: expect.any(String),
      api_versions: { '2.0': '/api/v2' },
      installation: expect.any(String),
    });
    expect(Object.keys((await get('/api/v2/openapi.json')) as object)).toContain('openapi');
    expect(await server.metric('milepost_streams')).toBe(0);
    await server.stop();
  });
});
