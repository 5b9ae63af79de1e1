/**
 * An import holds a workflow for a long time, while 50 clients move its experiments and a worker ends its runs. 50 clients that
 * work in another workflow notice nothing, and no live run loses its lease.
 */
import { bearer } from '@milepost/api';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRunRecorder, type RunRecorder } from '../../../testing/counterparts/run-recorder.ts';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { createTestToken } from '../../../testing/tokens.ts';
import { reconcileLeases } from '../runs/recover-lost-work.ts';

const clients = 50;
const rounds = 3;
/** Of each kind. More than the worker has connections. */
const runs = 15;

let server: TestServer;
let world: EngineWorld;
let recorder: RunRecorder;
let serving: ServerProcess;
let worker: WorkerProcess;
let authorization: string;

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  recorder = await startRunRecorder();
  const [admin] = await server.sql<{ id: string }>(`select id from users where username = 'admin'`);
  const owner = { id: Number(admin?.id), username: 'admin' };
  const { token } = await createTestToken(server, owner, ['sample_state_update']);
  authorization = bearer(token);
  // Statements that wait for a lock would keep their connection for two minutes.
  const settings = { DATABASE_URL: server.testDatabase.databaseUrl, MILEPOST_STATEMENT_SECONDS: '300' };
  serving = await startServerProcess(settings);
  worker = await startWorkerProcess({
    ...settings,
    MILEPOST_OUTGOING_ALLOW: recorder.origin,
    MILEPOST_WORKER_SLOTS: String(3 * runs),
  });
});
afterAll(async () => {
  await Promise.all([serving.stop(), worker.stop()]);
  await recorder.stop();
  await server.stop();
});

const definition = () => `initial: a
states:
  - {label: a, transitions: [{destination: b, by: person}, {destination: run, by: person}]}
  - {label: b, transitions: [{destination: a, by: person}]}
  - label: run
    callbacks: [{label: c, function: http, callback_arguments: {url: "${recorder.origin}/run"}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - {label: done}
`;

const experimentsOf = (workflow: string, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => world.experimentOf(workflow)));

/** Starts a run for each experiment. The runs end when the test answers them. */
async function startRuns(workflow: string): Promise<number[]> {
  const experiments = await experimentsOf(workflow, runs);
  for (const id of experiments) await world.move(id, 'run');
  return Promise.all(experiments.map(async (id) => (await world.executionOf(id, 'c')).id));
}

/** Takes the lock of an import. */
const whileHeld = <T>(workflow: string, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await expect.poll(() => server.sql('select from workflows where layout is null')).toEqual([]);
    await client.query('begin');
    await client.query('select from workflows where label = $1 for update', [workflow]);
    const result = await work(client);
    await client.query('rollback');
    return result;
  });

async function send(method: 'GET' | 'PUT', path: string, body?: object): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${serving.baseUrl}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { code } = (await response.json()) as { code?: string };
  return response.status < 400 ? 'ok' : `${response.status} ${code}`;
}

const move = (id: number, state_label: string) => send('PUT', `/experiments/${id}/state`, { state_label });

/** Repeats a move while the workflow is busy. Returns all answers. */
async function moveUntilDone(id: number, answers: string[]): Promise<void> {
  do answers.push(await move(id, 'b'));
  while (answers.at(-1) === '503 busy');
}

/** Moves an experiment and reads, until the first request fails. */
async function workElsewhere(id: number): Promise<string> {
  for (let round = 0; round < rounds; round++) {
    for (const state of ['b', 'a']) {
      const answers = [await move(id, state), await send('GET', `/experiments/${id}`)];
      const refused = answers.find((answer) => answer !== 'ok');
      if (refused !== undefined) return refused;
    }
  }
  return 'ok';
}

/** Waits until the worker has renewed the leases of all these runs after now, or has lost one of them. */
async function untilRenewed(executionIds: readonly number[]): Promise<number> {
  let lost = 0;
  const [start] = await server.sql<{ now: string }>('select now()::text as now');
  const late = () =>
    server.sql(
      `select from execution_attempts where execution_id = any($1) and ended_at is null and heartbeat_at < $2::timestamptz`,
      [executionIds, start?.now],
    );
  await expect
    .poll(async () => {
      lost += await reconcileLeases(engineContext(server, 'reconcile'));
      return lost > 0 || (await late()).length === 0;
    })
    .toBe(true);
  return lost;
}

it('a locked workflow blocks only itself', async () => {
  const [locked, free] = [await world.importWorkflow(definition()), await world.importWorkflow(definition())];
  const [moved, elsewhere] = [await experimentsOf(locked, clients), await experimentsOf(free, clients)];
  const [ending, live] = [await startRuns(locked), [...(await startRuns(locked)), ...(await startRuns(free))]];
  await expect.poll(() => recorder.runs.length).toBe(ending.length + live.length);
  const answers = moved.map((): string[] => []);
  const { moves, outcomes, lost } = await whileHeld(locked, async () => {
    for (const { answer } of recorder.runsOf(ending, 1)) answer();
    const started = Promise.all(moved.map((id, index) => moveUntilDone(id, answers[index] ?? [])));
    // Each client of the locked workflow has waited in vain once.
    await expect.poll(() => answers.every((all) => all.length > 0)).toBe(true);
    const worked = Promise.all(elsewhere.map(workElsewhere));
    const lostRuns = (await untilRenewed(live)) + (await untilRenewed(live));
    return { moves: started, outcomes: await worked, lost: lostRuns };
  });
  await moves;
  expect(outcomes.filter((outcome) => outcome !== 'ok')).toEqual([]);
  expect(lost).toBe(0);
  expect(new Set(answers.map((all) => all.at(-1)))).toEqual(new Set(['ok']));
  expect(new Set(answers.flatMap((all) => all.slice(0, -1)))).toEqual(new Set(['503 busy']));

  for (const { answer } of recorder.runsOf(live, 1)) answer();
  const all = [...ending, ...live];
  const results = () =>
    server.sql('select distinct status, result, attempt from callback_executions where id = any($1)', [all]);
  await expect.poll(results).toEqual([{ status: 'finished', result: 'success', attempt: 1 }]);
  expect(await worker.metric('milepost_lost_attempts_total')).toBe(0);
});
