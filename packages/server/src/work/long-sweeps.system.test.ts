/** A worker that is asked to end in the middle of a sweep with much to do leaves the rest to others, and ends in time. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../testing/engine-world.ts';
import { withClient } from '../../testing/postgres.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';

vi.setConfig({ testTimeout: 240_000 });

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** Each of a workflow of its own, which is held: eight at a time cost two seconds, so all of them take 14. */
const count = 56;

it('SIGTERM behind a long check for timeouts', async () => {
  for (let made = 0; made < count; made++) await world.experimentIn(pulledWorkflow('slow'));
  expect(await world.claim('slow', { max: count })).toHaveLength(count);
  await server.sql('update callback_executions set deadline = now()');
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('select from workflows for update');
    const worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
    const waiting = async () => (await client.query('select from pg_locks where not granted')).rowCount ?? 0;
    await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0);
    const asked = performance.now();
    expect(await worker.stop('SIGTERM')).toBe(0);
    expect((performance.now() - asked) / 1000).toBeLessThan(10);
    await client.query('rollback');
  });
});
