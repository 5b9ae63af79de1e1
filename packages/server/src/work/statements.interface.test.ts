/**
 * The statements of a worker that runs callbacks. Each is a round trip, and only a named one is planned once.
 *
 * @module-tag sql
 */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engineContext } from '../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { statementsDuring } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { readConfig } from '../config.ts';
import { createFunctions, openIntegrations } from '../functions/index.ts';
import { createFairQueue } from '../jobs/fair-queue.ts';
import { createLinks } from '../links.ts';
import { createWorkMetrics } from './metrics.ts';
import { runCallbacks } from './run-callbacks.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const runs = 8;
const workflow = `states:
  - label: run
    callbacks: [{label: c, function: sleep, callback_arguments: {seconds: 0}}]
`;

/** Only runs callbacks, without the periodic tasks of a worker. */
function startRunning() {
  const { integrations } = readConfig({ DATABASE_URL: server.testDatabase.databaseUrl });
  return runCallbacks({
    context: {
      engine: engineContext(server, 'runCallback'),
      links: createLinks({ basePath: '/api/v2', publicUrl: () => server.origin }),
      functions: createFunctions(openIntegrations(integrations)),
    },
    heartbeatDb: server.database.db,
    queue: createFairQueue(server.database.db),
    slots: 20,
    retriesPerSecond: 10,
    worker: 'counted',
    log: pino({ level: 'silent' }),
    metrics: createWorkMetrics(
      () => 0,
      async () => [],
    ),
  });
}

const finished = async (ids: readonly number[]) => {
  const rows = await Promise.all(ids.map((id) => world.executionsOf(id)));
  return rows.flat().filter(({ result }) => result === 'success').length;
};

it(`reads what ${runs} runs need with one statement and starts them with another, and prepares every statement`, async () => {
  const label = await world.importWorkflow(workflow);
  await expect.poll(() => server.sql('select id from workflows where layout is null')).toEqual([]);
  const ids: number[] = [];
  while (ids.length < runs) ids.push(await world.experimentOf(label));
  const sent = await statementsDuring(async () => {
    const callbacks = startRunning();
    await expect.poll(() => finished(ids)).toBe(runs);
    await callbacks.stop();
  }, /callback_executions|job_common|external_systems/);
  // The statements of the test itself have no name.
  const own = sent.filter(({ text }) => !text.includes('where experiment_id = $1 order by'));
  expect(own.filter((statement) => !('name' in statement && statement.name))).toEqual([]);
  const count = (wanted: RegExp) => own.filter(({ text }) => wanted.test(text)).length;
  expect(count(/as due_in/)).toBe(1);
  expect(count(/insert into execution_attempts/)).toBe(1);
  expect(own.filter(({ text }) => !/callback_executions|job_common/.test(text))).toEqual([]);
});
