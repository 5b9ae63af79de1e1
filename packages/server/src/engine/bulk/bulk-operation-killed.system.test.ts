/** Bulk operations whose worker or server is killed: every experiment is changed once or not at all, and the results say which. */
import { basic } from '@milepost/api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { lockWrites, pauseAtLock, retryWhileUnavailable, type LockPoint } from '../../../testing/pause-at-lock.ts';
import { startServerProcess } from '../../../testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
let workers: WorkerProcess[] = [];

/** A move starts a run, so that it writes to all tables of a move. */
const definition = `initial: start
states:
  - {label: start, transitions: [{destination: run, by: person}, {destination: elsewhere, by: person}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: nobody}}]
    transitions: [{destination: start, by: person}]
  - {label: elsewhere}
`;

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(definition);
});
afterAll(() => server.stop());

const startWorker = async () => {
  const worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  workers.push(worker);
  return worker;
};
beforeEach(startWorker);
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  workers = [];
});

async function replaceWorker(): Promise<void> {
  const [victim, ...others] = workers;
  await victim?.stop('SIGKILL');
  workers = others;
  await startWorker();
}

const createExperiments = async (count: number): Promise<number[]> => {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await world.experimentOf(workflow));
  return ids;
};

/** Workers find the operation as soon as `makeDue` was called. The last id does not exist. */
async function addOperation(ids: readonly number[], reason: string): Promise<number> {
  const rows = await server.sql<{ id: number }>(
    `insert into bulk_operations (kind, change, author_id, experiment_ids, starts_itself, rate, reason, next_at)
     values ('move', '{"state": "run"}', 1, $1, false, 5, $2, 'infinity') returning id::int`,
    [[...ids, 999_999_999], reason],
  );
  return rows[0]?.id ?? 0;
}

const makeDue = (id: number) => server.sql('update bulk_operations set next_at = now() where id = $1', [id]);
const startApplying = (id: number) =>
  server.sql(`update bulk_operations set status = 'running', started_at = now(), next_at = 'infinity' where id = $1`, [
    id,
  ]);

async function waitForStatus(id: number, status: string): Promise<void> {
  const read = async () => (await server.call('getBulkOperation', { params: { id } })).body.status;
  await expect.poll(read, { timeout: hangLimitMs, interval: 100 }).toBe(status);
}

interface Outcome {
  result: string;
  actions: number;
  events: number;
  executions: number;
}

/** The actions and events of the operation for each of its items, and what the operation counts. */
async function expectExact(id: number, reason: string): Promise<Outcome[]> {
  const outcomes = await server.sql<Outcome>(
    `select result,
       (select count(*) from actions where actions.experiment_id = item.experiment_id and freetext = $2)::int as actions,
       (select count(*) from events where data ->> 'bulk_operation_id' = $1::text and object_kind = 'experiment'
         and object_id = item.experiment_id)::int as events,
       (select count(*) from callback_executions join actions on actions.id = action_id
         where actions.experiment_id = item.experiment_id and freetext = $2)::int as executions
     from bulk_items as item where operation_id = $1::bigint order by number`,
    [String(id), reason],
  );
  for (const { result, ...traces } of outcomes) {
    const once = result === 'done' ? 1 : 0;
    expect([result, traces]).toEqual([result, { actions: once, events: once, executions: once }]);
  }
  const count = (result: string) => outcomes.filter((one) => one.result === result).length;
  const { body } = await server.call('getBulkOperation', { params: { id } });
  expect(body).toMatchObject({
    experiments: outcomes.length,
    ready: count('ready'),
    done: count('done'),
    refused: count('refused'),
  });
  const refusals = body.refusals.map(({ experiments }: { experiments: number }) => experiments);
  expect(refusals.reduce((sum: number, one: number) => sum + one, 0)).toBe(body.refused);
  return outcomes;
}

/** Kills the worker as soon as it waits at the point. */
const killAt = (point: LockPoint, id: number) =>
  pauseAtLock(server.testDatabase.ownerUrl, point, { begin: () => makeDue(id), whenWaiting: replaceWorker });

const checking = ['bulk_refusals', 'bulk_items'];
const applying = [
  'experiments',
  'actions',
  'callback_executions',
  'state_count_deltas',
  'history',
  'events',
  'bulk_items',
];

describe('a worker that is killed', () => {
  it.each([
    ...checking.map((table) => [`writes to ${table}`, { lock: lockWrites(table) }] as const),
    ['commits', { lock: lockWrites('bulk_items'), released: true }] as const,
  ])('while it checks and %s leaves a check that another worker completes', async (when, point) => {
    const ids = await createExperiments(3);
    const reason = `checked, ${when}`;
    const id = await addOperation(ids, reason);
    await killAt(point, id);
    await waitForStatus(id, 'checked');
    expect((await expectExact(id, reason)).map(({ result }) => result)).toEqual(['ready', 'ready', 'ready', 'refused']);
  });

  it.each([
    ...applying.map((table) => [`writes to ${table}`, { lock: lockWrites(table) }] as const),
    ['commits', { lock: lockWrites('events'), released: true }] as const,
  ])('while it applies and %s leaves nothing half done, and another worker continues', async (when, point) => {
    const ids = await createExperiments(7);
    const reason = `applied, ${when}`;
    const id = await addOperation(ids, reason);
    await makeDue(id);
    await waitForStatus(id, 'checked');
    await startApplying(id);
    await killAt(point, id);
    await waitForStatus(id, 'finished');
    expect((await expectExact(id, reason)).filter(({ result }) => result === 'done')).toHaveLength(7);
  });
});

/** Sends the request to a server of its own, and kills it while it records the change. */
async function killDuring(path: string, body: object): Promise<void> {
  const killed = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  const headers = { authorization: basic('admin', testPassword), 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const status = await pauseAtLock(
    server.testDatabase.ownerUrl,
    { lock: lockWrites('history') },
    {
      begin: () => retryWhileUnavailable(() => fetch(`${killed.baseUrl}/bulk_operations${path}`, request)),
      whenWaiting: () => killed.stop('SIGKILL'),
    },
  );
  expect(status).toBe(0);
}

describe('a server that is killed before it commits', () => {
  it('has not created an operation', async () => {
    const ids = await createExperiments(1);
    await killDuring('', { kind: 'move', state: 'run', experiment_ids: ids, reason: 'created and killed' });
    expect(await server.sql(`select from bulk_operations where reason = 'created and killed'`)).toHaveLength(0);
    expect(await world.actionsOf(ids[0] ?? 0)).toHaveLength(1);
  });

  it('has not stopped or applied it, and the same request succeeds later', async () => {
    const id = await addOperation(await createExperiments(2), '');
    await makeDue(id);
    await waitForStatus(id, 'checked');
    await killDuring(`/${id}/stop`, {});
    const reason = 'applied later';
    await killDuring(`/${id}/apply`, { reason });
    expect((await expectExact(id, reason)).map(({ result }) => result)).toEqual(['ready', 'ready', 'refused']);
    expect((await server.call('applyBulkOperation', { params: { id }, body: { reason } })).status).toBe(200);
    await waitForStatus(id, 'finished');
    expect((await expectExact(id, reason)).map(({ result }) => result)).toEqual(['done', 'done', 'refused']);
  });
});

it('workers that are killed while others move half of the experiments and import the workflow change the rest once', async () => {
  const ids = await createExperiments(60);
  const reason = 'with others';
  const id = await addOperation(ids, reason);
  await makeDue(id);
  await waitForStatus(id, 'checked');
  await startWorker();
  const moved = ids.filter((_, index) => index % 2 === 0);
  for (const one of moved.slice(0, 15)) await world.move(one, 'elsewhere');
  await startApplying(id);
  await makeDue(id);
  for (const [index, one] of moved.slice(15).entries()) {
    // Some of them were changed by the operation before.
    await world.move(one, 'elsewhere');
    if (index % 2 === 0) await replaceWorker();
    if (index === 7) await world.importWorkflow(`${definition}  - {label: added}\n`, workflow);
  }
  await waitForStatus(id, 'finished');
  const outcomes = await expectExact(id, reason);
  expect(outcomes.filter((_, index) => index < 30 && index % 2 === 0).map(({ result }) => result)).not.toContain(
    'done',
  );
  expect(outcomes.filter((_, index) => index < 60 && index % 2 === 1).map(({ result }) => result)).not.toContain(
    'refused',
  );
  for (const one of moved.slice(0, 15)) expect(await world.stateOf(one)).toBe('elsewhere');
});
