/** Servers, workers and connections to the database that fail, and what every user is told. */
import { basic } from '@milepost/api';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openLink, type Link } from '../../../testing/counterparts/database-link.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

const password = 'correct horse battery staple';
/** Only a hang takes this long. */
const patient = { timeout: hangLimitMs, interval: 200 };

let database: TestDatabase;
let link: Link;
let server: ServerProcess;
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { databaseUrl } = database;
  link = await openLink(Number(new URL(databaseUrl).port));
  server = await startServerProcess({ DATABASE_URL: link.through(databaseUrl), MILEPOST_ADMIN_PASSWORD: password });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});
afterAll(async () => {
  await server.stop();
  await link.stop();
  await database.drop();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({ DATABASE_URL: database.databaseUrl });
  workers.push(worker);
  return worker;
}

const get = (path: string) => fetch(server.baseUrl + path, { headers: { authorization: basic('admin', password) } });

async function announced(): Promise<string[]> {
  const { headers } = await get('/session');
  return headers.get('milepost-degraded')?.split(', ') ?? [];
}

interface ShownProcess {
  kind: string;
  pid: number;
  status: string;
}

async function statusOf(pid: number): Promise<string | undefined> {
  const { processes } = (await (await get('/system')).json()) as { processes: ShownProcess[] };
  return processes.find((one) => one.pid === pid)?.status;
}

it('announces that no worker runs after the only one was killed, and stops when another one runs', async () => {
  const killed = await startWorker();
  await expect.poll(announced, patient).toEqual([]);
  expect(await statusOf(killed.pid)).toBe('running');
  expect(await statusOf(server.pid)).toBe('running');
  killed.signal('SIGKILL');
  await expect.poll(announced, patient).toEqual(['no_worker']);
  const other = await startWorker();
  await expect.poll(announced, patient).toEqual([]);
  await expect.poll(() => statusOf(killed.pid), patient).toBe('lost');
  expect(await statusOf(other.pid)).toBe('running');
  await other.stop();
  expect(await statusOf(other.pid)).toBe('stopped');
});

it('announces that the database does not respond until it does', async () => {
  await startWorker();
  await expect.poll(announced, patient).toEqual([]);
  link.inject('down');
  await expect.poll(announced, patient).toEqual(['database_unreachable']);
  expect((await get('/session')).status).toBe(503);
  link.restore();
  await expect.poll(announced, patient).toEqual([]);
});

const setReadOnly = (value: 'on' | 'off') =>
  withClient(database.superuserUrl, async (client) => {
    const name = new URL(database.databaseUrl).pathname.slice(1);
    // The session of this client is read-only, too.
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter database "${name}" set default_transaction_read_only = ${value}`);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    );
  });

it('announces that the database is read-only until it is not', async () => {
  await startWorker();
  await expect.poll(announced, patient).toEqual([]);
  await setReadOnly('on');
  await expect.poll(announced, patient).toContain('database_read_only');
  await setReadOnly('off');
  await expect.poll(announced, patient).toEqual([]);
});
