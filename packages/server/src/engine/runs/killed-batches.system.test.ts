/**
 * Workers are killed while they record the ends of many runs with one statement, which PostgreSQL then commits without them, and at
 * other moments. Every run must be recorded once.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

const kills = 50;
const runsPerKill = 20;

let server: TestServer;
let world: EngineWorld;
let worker: WorkerProcess;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(async () => {
  await worker.stop('SIGKILL');
  await server.stop();
});

const start = () => startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl, MILEPOST_LOG_LEVEL: 'error' });

const workflow = `states:
  - {label: a, callbacks: [{label: c, function: sleep, callback_arguments: {seconds: 0}}], transitions: [{destination: b}]}
  - {label: b}
`;

const count = async (condition: string): Promise<number> => {
  const [row] = await server.sql<{ count: number }>(
    `select count(*)::int as count from callback_executions as one where ${condition}`,
  );
  return row?.count ?? 0;
};

/** As the role of the worker, which sees its statements. Not in the transaction, which would see no new activity. */
const waitingBatches = async () => {
  const found = await server.database.pool.query(
    `select from pg_stat_activity where application_name = 'milepost worker' and wait_event_type = 'Lock'
       and query like '%given as materialized%from unnest(%'`,
  );
  return found.rowCount ?? 0;
};

const waitForBatches = (number: number) =>
  vi.waitUntil(async () => (await waitingBatches()) >= number, { timeout: hangLimitMs, interval: 20 });

const lockHistory = 'begin; lock table history in share row exclusive mode';

/**
 * The first two ends are batches of one run. They wait for the history, so the other runs end meanwhile. Then a second lock lets these
 * two through and stops the batch of the others, and the worker is killed. PostgreSQL commits the batch without it.
 */
const killInBatch = () =>
  withClient(server.testDatabase.ownerUrl, (first) =>
    withClient(server.testDatabase.ownerUrl, async (second) => {
      await first.query(lockHistory);
      worker = await start();
      await waitForBatches(2);
      const locked = second.query(lockHistory);
      await vi.waitUntil(async () => (await waiters()) > 0, { timeout: hangLimitMs, interval: 20 });
      await first.query('commit');
      await locked;
      await waitForBatches(1);
      await worker.stop('SIGKILL');
      await second.query('commit');
    }),
  );

/** The connections of the owner that wait for a lock. */
const waiters = async () =>
  (await server.sql(`select from pg_stat_activity where wait_event_type = 'Lock' and usename = current_user`)).length;

const killAfterAnEnd = async () => {
  worker = await start();
  const finished = await count(`one.status = 'finished'`);
  await vi.waitUntil(async () => (await count(`one.status = 'finished'`)) > finished, {
    timeout: hangLimitMs,
    interval: 20,
  });
  await worker.stop('SIGKILL');
};

/** The runs of killed workers are recovered at the end, so that none of them loses five workers. */
const renewLeases = (interval: string) =>
  server.sql(`update execution_attempts set heartbeat_at = now() + $1 where ended_at is null`, [interval]);

/** The number of entries in the history of the experiment. */
const entries = (condition: string) => `(select count(*) from history where chain = 'experiment'
  and chain_id = (select experiment_id from actions where actions.id = one.action_id) and ${condition})`;

it(`${kills} kills lose no end of a run and record none twice`, { tags: ['nightly'] }, async () => {
  const label = await world.importWorkflow(workflow);
  for (let round = 0; round < kills; round++) {
    await Promise.all(Array.from({ length: runsPerKill }, () => world.experimentOf(label)));
    await (round % 2 === 0 ? killInBatch() : killAfterAnEnd());
    await renewLeases('1 hour');
  }
  expect(await count(`one.status = 'running'`)).toBeGreaterThan(0);
  await server.sql("update execution_attempts set started_at = now() - interval '1 hour' where ended_at is null");
  await renewLeases('-1 minute');
  worker = await start();
  await expect.poll(() => count(`one.status <> 'finished'`), { timeout: hangLimitMs, interval: 500 }).toBe(0);

  expect(await count('true')).toBe(kills * runsPerKill);
  const together = `(select count(*) from callback_executions as other where other.xmin = one.xmin)`;
  expect(await count(`${together} > 2`)).toBeGreaterThan(kills);
  expect(await count(`one.result <> 'success'`)).toBe(0);
  expect(await count(`${entries(`object_kind = 'callback_execution' and after ->> 'status' = 'finished'`)} <> 1`)).toBe(
    0,
  );
  expect(await count(`${entries(`operation = 'endAction' and after ? 'success'`)} <> 1`)).toBe(0);
  expect(await count(`${entries(`operation = 'endAction' and after ->> 'state' = 'b'`)} <> 1`)).toBe(0);
});
