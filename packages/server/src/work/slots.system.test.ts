/** Slots and queues of a worker. A run that sleeps, is delayed or waits for a report occupies no slot: a worker with one slot runs other callbacks meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/processes/worker-process.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
let worker: WorkerProcess;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl, MILEPOST_WORKER_SLOTS: '1' });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const workflow = (callback: string) => `states:
  - label: run
    callbacks: [{label: c, ${callback}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - label: done
`;

const sleeping = 'function: sleep, callback_arguments: {seconds: 600}';

it.each([
  ['sleeps', sleeping, 'running'],
  ['is delayed', 'function: sleep, callback_arguments: {seconds: 0}, initial_delay: 600', 'created'],
  ['waits for a report', 'function: wait, wait_timeout: 600', 'waiting'],
])('a run that %s occupies no slot', async (_what, callback, status) => {
  const idle = await world.experimentIn(workflow(callback));
  await expect.poll(async () => (await world.executionOf(idle, 'c')).status).toBe(status);
  const other = await world.experimentIn(workflow('function: sleep, callback_arguments: {seconds: 0}'));
  await expect.poll(() => world.stateOf(other)).toBe('done');
  expect(await world.executionOf(idle, 'c')).toMatchObject({ status });
});

it('a sleep ends with its next attempt, without a failure and before its timeout', async () => {
  const experiment = await world.experimentIn(workflow(`${sleeping}, run_timeout: 20`));
  const { id } = await world.executionOf(experiment, 'c');
  const paused = `select extract(epoch from next_attempt_at - run_start)::float as seconds, failures,
    extract(epoch from deadline - run_start)::float as timeout
    from callback_executions where id = $1 and next_attempt_at is not null`;
  await expect.poll(() => server.sql(paused, [id])).toHaveLength(1);
  const [row] = await server.sql<{ seconds: number; failures: number; timeout: number }>(paused, [id]);
  expect(row).toMatchObject({ failures: 0, timeout: 1200 });
  expect(row?.seconds).toBeGreaterThanOrEqual(600);
  await server.sql(
    `update callback_executions set created = created - interval '1 hour', run_start = run_start - interval '1 hour' where id = $1`,
    [id],
  );
  await world.skipPause(id);
  await expect.poll(() => world.executionOf(experiment, 'c')).toMatchObject({ result: 'success', attempt: 2 });
  expect(await world.stateOf(experiment)).toBe('done');
  const { body } = await server.call('getCallbackExecution', { params: { id }, fields: 'result_values' });
  expect(body.result_values).toEqual({ sleep_duration: 600 });
});

it('the worker exports the age and the length of each queue', async () => {
  await world.experimentIn(workflow('function: worker, callback_arguments: {queue: gpu}'));
  await world.neglectQueue('gpu', '20 minutes');
  const age = 'milepost_queue_oldest_seconds{queue="pull/gpu"}';
  await expect.poll(() => worker.metric(age)).toBeGreaterThanOrEqual(1200);
  await expect.poll(() => worker.metric('milepost_queue_length{queue="pull/gpu"}')).toBe(1);
  expect(await worker.metric('milepost_queue_oldest_seconds{queue="callbacks"}')).toBe(0);
  await world.claim('gpu');
  expect(await worker.metric(age)).toBe(0);
});
