/**
 * Requests for a workflow that is being imported wait without a database connection, so that other requests get one.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import type { OperationName } from '@milepost/api';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { createWorkflowLocks } from './workflow-locks.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  // A statement that waits for a lock would keep one of the two connections for ten minutes.
  server = await startTestServer({ settings: { MILEPOST_POOL_SIZE: '2' }, timeouts: { lockMs: 600_000 } });
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** Takes the locks of an import that moves all experiments of the workflow, and creates the transitions for that. */
const duringImport = <T>(label: string, work: () => Promise<T>): Promise<T> =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    // Storing the layout of the workflow would wait with one of the two connections.
    await expect.poll(() => server.sql('select from workflows where layout is null')).toEqual([]);
    await client.query('begin');
    const { rows } = await client.query('select id from workflows where label = $1 for update', [label]);
    const { id } = rows[0] as { id: string };
    await client.query(
      `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
       select one.workflow_id, 'correction', one.id, other.id from states one join states other using (workflow_id)
       where workflow_id = $1`,
      [id],
    );
    await client.query('select from experiments where workflow_id = $1 for no key update', [id]);
    const result = await work();
    await client.query('rollback');
    return result;
  });

type Request = [OperationName, Parts];

const subjectOf = async (id: number) =>
  (await server.call('getExperiment', { params: { id } })).body.subject.id as number;

describe('a move', () => {
  it('does not wait for a layout that is being stored', async () => {
    const workflow = await world.importWorkflow(pulledWorkflow(randomUUID()));
    const id = await world.experimentOf(workflow);
    await withClient(server.testDatabase.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query(`update workflows set layout = '{}' where label = $1`, [workflow]);
      expect(await world.move(id, 'other')).toMatchObject({ status: 200 });
      await client.query('rollback');
    });
  });
});

/** One request of each kind, each for its own experiment of the workflow. */
async function requestsIn(workflow: string, queue: string): Promise<Request[]> {
  const fresh = () => world.experimentOf(workflow);
  const failed = async () => {
    const id = await fresh();
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    return id;
  };
  const running = await fresh();
  const [claim] = await world.claim(queue);
  const unstarted = await world.executionOf(await fresh(), 'c');
  const reason = 'because';
  const create = { label: 'new', subject_id: await subjectOf(running), workflow_label: workflow };
  return [
    ['setExperimentState', { params: { id: await fresh() }, body: { state_label: 'other' } }],
    ['createExperiment', { body: create }],
    ['placeExperiment', { params: { id: await fresh() }, body: { state: 'good', reason } }],
    ['updateExperiment', { params: { id: await fresh() }, body: { label: 'renamed' } }],
    ['setExperimentVariable', { params: { id: await fresh(), name: 'v' }, body: { value: 1 } }],
    ['updateCallbackExecution', { params: { id: unstarted.id }, body: { status: 'running' } }],
    [
      'updateCallbackExecution',
      { params: { id: claim.execution.id }, body: { status: 'finished', result: 'success' } },
    ],
    ['retryExperiment', { params: { id: await failed() }, body: { reason } }],
    ['evaluateExperiment', { params: { id: await failed() }, body: { reason } }],
    ['withdrawSubject', { params: { id: await subjectOf(await fresh()) }, body: { reason, date: '2026-03-01' } }],
  ];
}

const withKey = ([name, parts]: Request): Request => [
  name,
  { ...parts, headers: { 'idempotency-key': `key-${randomUUID()}` } },
];

const send = async ([name, parts]: Request) => {
  const { status, body } = await server.call(name, parts);
  return `${name} ${status >= 300 ? body.code : 'ok'}`;
};

/** Reads until all the requests have been answered. */
async function readDuring(workflow: string, requests: readonly Request[]) {
  const answered: string[] = [];
  const answers = Promise.all(
    requests.map(async (request) => {
      const answer = await send(request);
      answered.push(answer);
      return answer;
    }),
  );
  const reads = [];
  while (answered.length < requests.length)
    reads.push((await server.call('listWorkflowStates', { params: { workflow_label: workflow } })).status);
  return { answers: await answers, reads };
}

describe('while an import has locked the workflow and its experiments', () => {
  it.each([
    ['without a key', (request: Request) => request],
    ['with an Idempotency-Key', withKey],
  ])('requests %s wait outside the connection pool, and succeed afterwards', async (_kind, prepare) => {
    const queue = world.fresh('queue').replace(' ', '_');
    const workflow = await world.importWorkflow(pulledWorkflow(queue));
    const requests = (await requestsIn(workflow, queue)).map(prepare);
    const { answers, reads } = await duringImport(workflow, () => readDuring(workflow, requests));
    expect(answers).toEqual(requests.map(([name]) => `${name} busy`));
    expect(reads.filter((status) => status !== 200)).toEqual([]);
    expect(reads.length).toBeGreaterThan(0);
    expect(await Promise.all(requests.map(send))).toEqual(requests.map(([name]) => `${name} ok`));
  });
});

describe('the wait for a locked workflow', () => {
  it('is one statement at a time for 50 changes, and ends when the import ends', async () => {
    const workflow = await world.importWorkflow(pulledWorkflow('shared'));
    const [row] = await server.sql<{ id: string }>('select id from workflows where label = $1', [workflow]);
    const registry = new Registry();
    const locks = createWorkflowLocks(server.database.db, registry);
    const count = async (metric: string) =>
      Number(new RegExp(`^${metric} (\\d+)$`, 'm').exec(await registry.metrics())?.[1]);
    const checks = 3;
    const sent = await statementsDuring(async () => {
      const waits = await duringImport(workflow, async () => {
        const started = Array.from({ length: 50 }, () => locks.wait(Number(row?.id), Infinity));
        expect(await count('milepost_workflow_lock_waiting')).toBe(50);
        // Each change waits for the result of several checks.
        for (let n = 0; n < checks; n++) await locks.wait(Number(row?.id), performance.now() + 1);
        return started;
      });
      await Promise.all(waits);
    }, /for key share skip locked/);
    expect(sent.length).toBeGreaterThanOrEqual(checks);
    expect(sent.length).toBeLessThan(50);
    expect(await count('milepost_workflow_lock_waiting')).toBe(0);
    expect(await count('milepost_workflow_lock_wait_seconds_count')).toBe(50 + checks);
  });
});
