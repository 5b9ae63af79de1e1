/**
 * Three worker processes are lost at the same moment, with five runs each (MILEPOST_TEST_LOST_RUNS): one is killed, one is frozen
 * until its leases expire, and one is shut down. A fourth takes over, and exactly one outcome of each execution counts.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startRunRecorder, type RunRecorder } from '../../../testing/counterparts/run-recorder.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { keepContact } from '../../work/heartbeats.ts';
import type { RepeatedWork } from '../../work/repeat.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

const each = Number(process.env['MILEPOST_TEST_LOST_RUNS'] ?? 5);

let server: TestServer;
/** Records contact, as a server does. Without it, leases of pulling workers do not expire. */
let contact: RepeatedWork;
let world: EngineWorld;
let recorder: RunRecorder;
let killed: WorkerProcess;
let frozen: WorkerProcess;
let stopped: WorkerProcess;
let rescuer: WorkerProcess;
/** Claims of a pulling worker that sends no heartbeats. */
let silent: { execution: { id: number }; secret: string }[];
let lostAt: number;
let shutDown: Promise<number | null>;
let endedAt: number;

const startWorker = (slots: number) =>
  startWorkerProcess({
    DATABASE_URL: server.testDatabase.databaseUrl,
    MILEPOST_OUTGOING_ALLOW: recorder.origin,
    MILEPOST_WORKER_SLOTS: String(slots),
    MILEPOST_LOG_LEVEL: 'warn',
  });

const workflow = (callback: string) => `states:
  - label: run
    callbacks: [{label: c, ${callback}, variable_map: {by: /body/attempt}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - label: done
`;

async function experimentsIn(callback: string, count: number): Promise<number[]> {
  const label = await world.importWorkflow(workflow(callback));
  return Promise.all(Array.from({ length: count }, () => world.experimentOf(label)));
}

interface AttemptSeen {
  executionId: number;
  experimentId: number;
  worker: string;
  error: string | null;
}

/** The executions whose attempt with that number the worker ran. */
const attemptsBy = ({ name }: WorkerProcess, attempt: number): Promise<AttemptSeen[]> =>
  server.sql(
    `select execution_attempts.execution_id::int as "executionId", actions.experiment_id::int as "experimentId", worker, error
     from execution_attempts join callback_executions on callback_executions.id = execution_id
     join actions on actions.id = action_id
     where worker = $1 and execution_attempts.attempt = $2 order by execution_id`,
    [name, attempt],
  );

beforeAll(async () => {
  server = await startTestServer();
  contact = keepContact(server.database.db, 'server', { info: () => undefined, error: () => undefined });
  world = createEngineWorld(server);
  recorder = await startRunRecorder();
  [killed, frozen, stopped] = await Promise.all([startWorker(each), startWorker(each), startWorker(each)]);
  // As many as all workers have slots for, so that each worker runs five.
  await experimentsIn(`function: http, callback_arguments: {url: "${recorder.origin}/run"}`, 3 * each);
  await experimentsIn('function: worker, callback_arguments: {queue: silent}', each);
  await vi.waitUntil(() => recorder.runs.length === 3 * each, { timeout: hangLimitMs });
  silent = await world.claim('silent', { max: each });
  rescuer = await startWorker(10 * each);
  killed.signal('SIGKILL');
  frozen.signal('SIGSTOP');
  lostAt = performance.now();
  shutDown = stopped.stop('SIGTERM').finally(() => (endedAt = performance.now()));
});

afterAll(async () => {
  // A frozen process receives no other signal.
  await Promise.all([killed, frozen, stopped, rescuer].map((worker) => worker?.stop('SIGKILL')));
  await contact.stop();
  await recorder.stop();
  await server.stop();
});

/** Expects that the rescuer runs every execution and that its outcome counts. */
async function expectRescued(lost: readonly AttemptSeen[]): Promise<void> {
  const ids = lost.map(({ executionId }) => executionId);
  expect(ids).toHaveLength(each);
  await expect.poll(() => recorder.runsOf(ids, 2).length, { interval: 50 }).toBe(each);
  const rescued = await attemptsBy(rescuer, 2);
  expect(rescued.map(({ executionId }) => executionId)).toEqual(expect.arrayContaining(ids));
  const states = () => Promise.all(lost.map(({ experimentId }) => world.stateOf(experimentId)));
  await expect.poll(states).toEqual(lost.map(() => 'done'));
}

/** The time from the loss until the last lost execution ran again. */
async function secondsUntilRescued(lost: readonly AttemptSeen[]): Promise<number> {
  await expectRescued(lost);
  const ids = lost.map(({ executionId }) => executionId);
  return (Math.max(...recorder.runsOf(ids, 2).map(({ at }) => at)) - lostAt) / 1000;
}

it('a worker that is shut down returns its runs, and another worker runs them', async () => {
  const lost = await attemptsBy(stopped, 1);
  expect(await shutDown).toBe(0);
  await expectRescued(lost);
  for (const { executionId, experimentId } of lost) {
    const { body } = await server.call('listExecutionAttempts', { params: { id: executionId } });
    expect(body.attempts).toMatchObject([
      { attempt: 1, worker: stopped.name, error: 'The worker was shut down.' },
      { attempt: 2, worker: rescuer.name, error: null },
    ]);
    expect(await world.variablesOf(experimentId)).toEqual({ by: 2 });
  }
});

it('Milepost runs the executions of a killed worker once more in another worker', async () => {
  const lost = await attemptsBy(killed, 1);
  await expectRescued(lost);
  expect(
    recorder.runsOf(
      lost.map(({ executionId }) => executionId),
      3,
    ),
  ).toEqual([]);
});

it('Milepost rejects the results of a frozen worker as stale and keeps those of the other worker', async () => {
  const lost = await attemptsBy(frozen, 1);
  await expectRescued(lost);
  const ids = lost.map(({ executionId }) => executionId);
  // The runs of the frozen worker succeed now.
  for (const { answer } of recorder.runsOf(ids, 1)) answer();
  frozen.signal('SIGCONT');
  const stale = () => frozen.metric('milepost_runs_total{outcome="stale"}');
  await expect.poll(stale, { interval: 100 }).toBe(each);
  const logged = frozen
    .output()
    .split('\n')
    .filter((line) => line.includes('stale_attempt'))
    .map((line) => JSON.parse(line) as { execution_id: number; attempt: number });
  expect(logged.map(({ execution_id }) => execution_id).toSorted((a, b) => a - b)).toEqual(ids);
  for (const { experimentId } of lost) {
    expect(await world.variablesOf(experimentId)).toEqual({ by: 2 });
    expect(await world.executionOf(experimentId, 'c')).toMatchObject({ status: 'finished', attempt: 2 });
  }
  expect(await frozen.stop('SIGTERM')).toBe(0);
});

it('the report of a pulling worker whose lease has expired returns 409 stale_attempt', async () => {
  const ids = silent.map(({ execution }) => execution.id);
  expect(ids).toHaveLength(each);
  const second: typeof silent = [];
  while (second.length < each) second.push(...(await world.claim('silent', { max: each, wait_seconds: 5 })));
  expect(second.map(({ execution }) => execution.id).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  const end = { status: 'finished', result: 'success' };
  for (const claim of silent) {
    const stale = { status: 409, body: { code: 'stale_attempt' } };
    expect(await world.reportWithSecret(claim, { ...end, result_values: { body: { attempt: 1 } } })).toMatchObject(
      stale,
    );
  }
  for (const claim of second) {
    const reported = await world.reportWithSecret(claim, { ...end, result_values: { body: { attempt: 2 } } });
    expect(reported).toMatchObject({ status: 200, body: { attempt: 2 } });
    expect(reported.body.experiment).toMatchObject({ state: { label: 'done' }, variable_map: { by: 2 } });
  }
});

it('a worker stops within 10 s, and its executions run elsewhere within 10 s', { tags: ['nightly'] }, async () => {
  const lost = await attemptsBy(stopped, 1);
  await shutDown;
  expect((endedAt - lostAt) / 1000).toBeLessThan(10);
  expect(await secondsUntilRescued(lost)).toBeLessThan(10);
});

it('the executions of killed and frozen workers run elsewhere within 45 s', { tags: ['nightly'] }, async () => {
  for (const worker of [killed, frozen]) {
    expect(await secondsUntilRescued(await attemptsBy(worker, 1))).toBeLessThan(45);
  }
});
