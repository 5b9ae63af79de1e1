/** Workers that are killed while they count for Insights: the figures are exact afterwards, and equal to those of a rebuild. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { lockWrites, pauseAtLock } from '../../../testing/pause-at-lock.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { insertRandomStays, walkedStates } from '../../../testing/rows/random-stays.ts';
import { countedInsights, trueInsights } from '../../../testing/rows/true-insights.ts';
import { eraseSubjectOf, withdrawSubjectOf } from '../../../testing/withdraw-and-erase.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { rebuildInsights } from '../../store/insights/progress.ts';
import { countInsights } from './count-insights.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
let worker: WorkerProcess;

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(pulledWorkflow(world.fresh('queue')));
  await insertRandomStays(server, { workflow: await world.importWorkflow(walkedStates), experiments: 1500, seed });
  worker = await startWorker();
});
afterAll(async () => {
  await worker.stop('SIGKILL');
  await server.stop();
});

const startWorker = () => startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
const sql = <T extends object>(text: string, values?: unknown[]) => server.sql<T>(text, values);

/** The worker waits at the table. It is killed, and another one continues. */
async function killAt(table: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const kill = async () => {
    await worker.stop('SIGKILL');
    await meanwhile();
  };
  await pauseAtLock(
    server.testDatabase.ownerUrl,
    { lock: lockWrites(table) },
    { begin: () => undefined, whenWaiting: kill },
  );
  worker = await startWorker();
}

/** All changes that figures follow. Each experiment has a failed run. */
async function change(): Promise<void> {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await world.experimentOf(workflow));
  const [late = 0, failed = 0, withdrawn = 0, erased = 0, corrected = 0] = ids;
  await world.move(late, 'other');
  await world.finish((await world.executionOf(late, 'c')).id, 'failed');
  for (const id of [failed, withdrawn, erased]) await world.finish((await world.executionOf(id, 'c')).id, 'failed');
  await server.call('placeExperiment', {
    params: { id: corrected },
    body: { state_label: 'good', reason: 'seen elsewhere' },
  });
  await withdrawSubjectOf(server, withdrawn);
  await eraseSubjectOf(server, erased);
}

/** While the worker counts, nobody else can. */
async function expectExact(): Promise<void> {
  const differing = async () => {
    await countInsights(server.database.db);
    const [counted, slow] = [await countedInsights(sql), await trueInsights(sql)];
    return tableNames.filter((name) => JSON.stringify(counted[name]) !== JSON.stringify(slow[name]));
  };
  await expect.poll(differing, { interval: 200, timeout: hangLimitMs }).toEqual([]);
  expect((await countedInsights(sql)).causes.length).toBeGreaterThan(0);
}

const tableNames = ['moves', 'levels', 'stays', 'causes'] as const;

const tables = ['insight_experiments', 'insight_moves', 'insight_levels', 'insight_stays', 'insight_progress'];

describe('a worker that is killed while it counts', () => {
  it.each(tables.flatMap((table) => [1, 2].map((round) => [table, round] as const)))(
    'new changes and writes to %s leaves exact figures (round %i)',
    async (table) => {
      const changed = change();
      await killAt(table, () => changed);
      await change();
      await expectExact();
    },
  );

  it.each(['insight_runs', 'insight_causes'])('failed runs and writes to %s leaves exact figures', async (table) => {
    await change();
    const changed = change();
    await killAt(table, () => changed);
    await expectExact();
  });

  it.each([...tables, 'insight_runs', 'insight_causes'])(
    'everything again and writes to %s leaves exact figures',
    async (table) => {
      await rebuildInsights(server.database.db);
      await killAt(table, change);
      await expectExact();
    },
  );

  it('leaves figures that are those of a rebuild', async () => {
    await expectExact();
    const before = await countedInsights(sql);
    await rebuildInsights(server.database.db);
    await expectExact();
    expect(await countedInsights(sql)).toEqual(before);
  });
});
