/** A worker that is asked to end in the middle of a sweep with much to do leaves the rest to others. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../testing/engine-world.ts';
import { countLockWaits } from '../../testing/held-table.ts';
import { withClient } from '../../testing/postgres.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  for (let made = 0; made < count; made++) await world.experimentIn(pulledWorkflow('slow'));
  await world.claim('slow', { max: count });
  await server.sql('update callback_executions set deadline = now()');
});
afterAll(() => server.stop());

/** Each of a workflow of its own, which is held: they are tried eight at a time, and each try takes two seconds. */
const count = 40;

const sessionsOfWorkers = async (client: Client) =>
  (
    await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like '%worker'`,
    )
  ).rowCount;

/** Every try to change what is held ends in a rollback. PostgreSQL counts those of a connection by the time that it has ended. */
async function countRollbacks(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select xact_rollback::int as count from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

/** Stops a worker whose check for timeouts waits for workflows that are held. */
const stopInSweep = () =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    const before = await countRollbacks(client);
    await client.query('begin');
    await client.query('select from workflows for update');
    const worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
    const asked = performance.now();
    const code = await worker.stop('SIGTERM');
    const seconds = (performance.now() - asked) / 1000;
    await client.query('rollback');
    await expect.poll(() => sessionsOfWorkers(client)).toBe(0);
    return { code, seconds, tries: (await countRollbacks(client)) - before };
  });

it('on SIGTERM during a long check for timeouts, a worker ends before it has tried them all', async () => {
  const { code, tries } = await stopInSweep();
  expect(code).toBe(0);
  expect(tries).toBeGreaterThan(0);
  expect(tries).toBeLessThan(count);
});

it('on SIGTERM during a long check for timeouts, a worker ends within 10 s', { tags: ['nightly'] }, async () => {
  expect((await stopInSweep()).seconds).toBeLessThan(10);
});
