/**
 * Kills server and worker (SIGKILL) while experiments move and the counts per state are folded. Afterwards the counts are exact,
 * and the next worker folds the rest.
 */
import { basic } from '@milepost/api';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';
import { startWorkerProcess } from '../../../testing/processes/worker-process.ts';

const password = 'correct horse battery staple';
const rounds = 2;
const movers = 8;
/** The number of deltas, which add up to zero. One statement folds fewer. */
const changes = 50_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  withClient(database.ownerUrl, async (client) => (await client.query<T>(text, values)).rows);

const startServer = () => startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
const startWorker = () => startWorkerProcess({ DATABASE_URL: database.databaseUrl });

const unfolded = async () => (await sql<{ n: number }>('select count(*)::int as n from state_count_deltas'))[0]?.n ?? 0;
const sessions = () =>
  sql('select from pg_stat_activity where datname = current_database() and usename = $1', [database.appRole]);
/** Sessions that fold and wait for a row. They hold the advisory lock, unlike moves, which can also wait for each other. */
const waiting = () =>
  sql(
    `select from pg_stat_activity natural join pg_locks
    where datname = current_database() and usename = $1 and locktype = 'transactionid' and not granted
      and exists (select from pg_locks as own where own.pid = pg_stat_activity.pid and own.locktype = 'advisory' and own.granted)`,
    [database.appRole],
  );

/**
 * Inserts deltas and locks one in the middle. If the server, which also folds once a minute, folds them first, they are inserted
 * again. Returns their number.
 */
async function lockTheMiddle(holder: Client): Promise<number> {
  const middle = 'select ctid from state_count_deltas order by ctid offset $1 limit 1';
  for (;;) {
    await sql('insert into state_count_deltas select 1, 1, 1 - 2 * (n % 2) from generate_series(1, $1::int) n', [
      changes,
    ]);
    const count = await unfolded();
    await holder.query('begin');
    const locked = await holder.query(`select from state_count_deltas where ctid = (${middle}) for update`, [
      changes / 2,
    ]);
    if (locked.rowCount === 1) return count;
    await holder.query('rollback');
  }
}

/** Runs `inTheMiddle` while the worker has folded some batches and waits for a locked row in the next one. */
async function whileFolding(inTheMiddle: () => Promise<unknown>): Promise<void> {
  await withClient(database.ownerUrl, async (holder) => {
    const before = await lockTheMiddle(holder);
    const worker = await startWorker();
    await expect.poll(async () => (await waiting()).length, { interval: 20 }).toBe(1);
    expect(await unfolded()).toBeLessThan(before);
    await Promise.all([worker.stop('SIGKILL'), inTheMiddle()]);
    await holder.query('rollback');
  });
}

async function send(server: ServerProcess, method: string, path: string, body: object): Promise<{ id: number }> {
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const response = await fetch(server.baseUrl + path, { method, headers, body: JSON.stringify(body) });
  return (await response.json()) as { id: number };
}

const workflow = `label: ring
initial: a
states:
  - {label: a, transitions: [{destination: b}]}
  - {label: b, transitions: [{destination: a}]}
`;

async function prepare(server: ServerProcess): Promise<number[]> {
  await send(server, 'POST', '/service/config/import-workflow', { workflow_definition: workflow });
  await send(server, 'POST', '/cohorts', { label: 'c' });
  const { id: subject_id } = await send(server, 'POST', '/subjects', { label: 's', cohort_label: 'c' });
  const ids: number[] = [];
  for (let n = 0; n < movers; n++)
    ids.push((await send(server, 'POST', '/experiments', { label: `e${n}`, subject_id })).id);
  return ids;
}

/** Moves back and forth until the server is killed. */
async function moveRepeatedly(server: ServerProcess, id: number): Promise<void> {
  for (let n = 0; ; n++)
    await send(server, 'PUT', `/experiments/${id}/state`, { state_label: n % 2 === 0 ? 'b' : 'a' });
}

const countMoves = async () => (await sql<{ n: number }>('select count(*)::int as n from actions'))[0]?.n ?? 0;

it('the counts per state are exact after server and worker are killed, and the next worker folds the rest', async () => {
  let server = await startServer();
  const experiments = await prepare(server);
  for (let round = 0; round < rounds; round++) {
    const before = await countMoves();
    const moving = experiments.map((id) => moveRepeatedly(server, id).catch(() => undefined));
    await expect.poll(countMoves).toBeGreaterThan(before + movers);
    await whileFolding(() => server.stop('SIGKILL'));
    await Promise.all(moving);
    await expect.poll(async () => (await sessions()).length).toBe(0);
    expect(await wrongCounts(sql), `round ${round}`).toEqual([]);
    expect(await unfolded()).toBeGreaterThan(1000);
    server = await startServer();
  }
  const worker = await startWorker();
  await expect.poll(unfolded).toBe(0);
  await Promise.all([server.stop(), worker.stop()]);
  expect(await wrongCounts(sql)).toEqual([]);
});
