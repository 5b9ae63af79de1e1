/**
 * An external system is down for half an hour while 1,000 runs (MILEPOST_TEST_OUTAGE_RUNS) in two workers call it. The test sets
 * times back instead of waiting. Starts are counted by the database clock, so a slow machine starts fewer in a second.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../../testing/counterparts/web-server.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';

const count = Number(process.env['MILEPOST_TEST_OUTAGE_RUNS'] ?? 1000);
const retriesPerSecond = 50;

let server: TestServer;
let world: EngineWorld;
let external: WebServer;
let workers: WorkerProcess[];
let isDown = true;
/** The idempotency key of every request that was received, by the id of its execution. */
const keys = new Map<string, string[]>();

/** While it is down, it closes the connection after a request, or its proxy reports the outage. */
const failures: ((response: ServerResponse) => void)[] = [
  (response) => response.socket?.destroy(),
  (response) => response.writeHead(503).end(),
  (response) => response.writeHead(429).end(),
];

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  let requests = 0;
  external = await startWebServer(({ headers }, response) => {
    const id = String(headers['x-milepost-execution']);
    keys.set(id, [...(keys.get(id) ?? []), String(headers['idempotency-key'])]);
    if (isDown) failures[requests++ % failures.length]?.(response);
    else response.writeHead(200).end();
  });
  const start = () =>
    startWorkerProcess({
      DATABASE_URL: server.testDatabase.databaseUrl,
      MILEPOST_OUTGOING_ALLOW: external.origin,
      MILEPOST_RETRIES_PER_SECOND: String(retriesPerSecond),
      MILEPOST_WORKER_SLOTS: '40',
    });
  workers = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await external.stop();
  await server.stop();
});

async function createExperiments(): Promise<void> {
  const workflow_label = await world.importWorkflow(`states:
  - label: run
    callbacks: [{label: c, function: http, callback_arguments: {url: "${external.origin}/"}, run_timeout: 5,
        retry_first: 300}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - {label: done}
`);
  const { id: subject_id } = await world.subject();
  for (let made = 0; made < count; made++) {
    const body = { label: world.fresh('experiment'), subject_id, workflow_label };
    expect((await server.call('createExperiment', { body })).status).toBe(201);
  }
}

/** The number of executions for each outcome. */
const outcomes = () =>
  server.sql(`select status, result, count(*)::int as runs from callback_executions group by status, result`);

/** The number of executions that wait for another attempt after at least that many. */
const waitingAfter = async (attempts: number) => {
  const [row] = await server.sql<{ runs: number }>(
    `select count(*)::int as runs from callback_executions where next_attempt_at is not null and attempt >= $1`,
    [attempts],
  );
  return row?.runs;
};

/** The most retries that started in one second. */
const mostPerSecond = async () => {
  const [row] = await server.sql<{ most: number }>(
    `select max(starts)::int as most from (
       select count(*) as starts from execution_attempts where attempt > 1 group by date_trunc('second', started_at)) as seconds`,
  );
  return row?.most;
};

/** Makes time pass for all runs, their jobs and the line of retries. */
async function pass(interval: string): Promise<void> {
  await server.sql(
    `update callback_executions set deadline = deadline - $1::interval, next_attempt_at = next_attempt_at - $1::interval,
       failing_since = failing_since - $1::interval`,
    [interval],
  );
  await server.sql(`update retry_pace set next_slot = next_slot - $1::interval`, [interval]);
  await server.sql(
    `update pgboss.job_common set created_on = created_on - $1::interval, start_after = start_after - $1::interval`,
    [interval],
  );
}

it('no run fails, each succeeds once, and no more retries start in a second than the pace allows', async () => {
  await createExperiments();
  for (let failed = 1; failed <= 5; failed++) {
    await expect.poll(() => waitingAfter(failed), { interval: 500 }).toBe(count);
    expect(await outcomes()).toEqual([{ status: 'running', result: 'none', runs: count }]);
    if (failed === 1) await expect.poll(() => workers[0]?.metric('milepost_retries_waiting')).toBe(count);
    isDown = failed < 5;
    await pass('6 minutes');
  }
  await expect.poll(outcomes, { interval: 500 }).toEqual([{ status: 'finished', result: 'success', runs: count }]);
  expect(await mostPerSecond()).toBeLessThanOrEqual(retriesPerSecond);
  for (const worker of workers) await expect.poll(() => worker.metric('milepost_longest_failing_seconds')).toBe(0);
  // The receiver can recognise each repeated request.
  expect(keys.size).toBe(count);
  const distinct = [...keys.values()].map((sent) => new Set(sent));
  expect(distinct.every(({ size }) => size === 1)).toBe(true);
  expect(new Set(distinct.flatMap((sent) => [...sent])).size).toBe(count);
});
