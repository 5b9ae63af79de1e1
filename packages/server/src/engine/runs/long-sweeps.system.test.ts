/** A worker that is stopped during a long sweep leaves the rest to other workers. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { countLockWaits } from '../../../testing/pause-at-lock.ts';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { startWorkerProcess } from '../../../testing/processes/worker-process.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  for (let made = 0; made < count; made++) await world.experimentIn(pulledWorkflow('slow'));
  await world.claim('slow', { max: count });
  await server.sql(`update callback_executions set deadline = now() - interval '1 s'`);
});
afterAll(() => server.stop());

/** Executions, each with its own workflow and locked experiment. The sweep attempts eight at a time, until the lock timeout. */
const count = 40;

const sessionsOfWorkers = async (client: Client) =>
  (
    await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name like '%worker'`,
    )
  ).rowCount;

/** Every attempt to change a locked experiment ends in a rollback. PostgreSQL counts them when the connection has ended. */
async function countRollbacks(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select xact_rollback::int as count from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

/** Stops a worker whose timeout check waits for locked experiments. */
const stopInSweep = () =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    const before = await countRollbacks(client);
    await client.query('begin');
    await client.query('select from experiments for no key update');
    const worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
    const start = performance.now();
    const code = await worker.stop('SIGTERM');
    const seconds = (performance.now() - start) / 1000;
    await client.query('rollback');
    await expect.poll(() => sessionsOfWorkers(client)).toBe(0);
    return { code, seconds, attempts: (await countRollbacks(client)) - before };
  });

it('a worker stops on SIGTERM during a long timeout check before it has tried all executions', async () => {
  const { code, attempts } = await stopInSweep();
  expect(code).toBe(0);
  expect(attempts).toBeGreaterThan(0);
  expect(attempts).toBeLessThan(count);
});

it('a worker stops within 10 s on SIGTERM during a long timeout check', { tags: ['nightly'] }, async () => {
  expect((await stopInSweep()).seconds).toBeLessThan(10);
});
