/**
 * The execution's row is the truth, whatever becomes of its job: one that runs for days is not run twice, and one whose job
 * was deleted, by hand or by the retention of the queue, gets another. Days pass by setting times back.
 */
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineAs } from '../../testing/engine-as.ts';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';
import { queueSchema } from '../database/queue-schema.ts';
import { checkTimeouts } from '../engine/executions/check-timeouts.ts';
import { createUnclaimedSweep, reconcileLeases } from '../engine/executions/reconcile.ts';
import { pulledQueue } from '../jobs/queue-names.ts';

let server: TestServer;
let world: EngineWorld;
let boss: PgBoss;

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  const { databaseUrl: connectionString } = server.testDatabase;
  boss = new PgBoss({ connectionString, schema: queueSchema, migrate: false, supervise: false, schedule: false });
  boss.on('error', (error) => expect.unreachable(`pg-boss met an error: ${error.message}`));
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await server.stop();
});

const workflow = (callback: string) => `states:
  - label: run
    callbacks: [{label: c, ${callback}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - label: done
`;

/** An experiment that waits for a pulling worker, and its execution. */
async function waitingIn(queue: string) {
  const experiment = await world.experimentIn(workflow(`function: worker, callback_arguments: {queue: ${queue}}`));
  return { experiment, execution: (await world.executionOf(experiment, 'c')).id };
}

/** As if everything about the execution had happened so much earlier; the heartbeats of its worker go on. */
async function setBack(id: number, interval: string): Promise<void> {
  await server.sql(
    `update callback_executions set created = created - $2::interval, run_start = run_start - $2::interval,
       deadline = deadline - $2::interval, next_attempt_at = next_attempt_at - $2::interval where id = $1`,
    [id, interval],
  );
  await server.sql('update execution_attempts set started_at = started_at - $2::interval where execution_id = $1', [
    id,
    interval,
  ]);
  await server.sql(
    `update pgboss.job_common set created_on = created_on - $2::interval, start_after = start_after - $2::interval,
       keep_until = keep_until - $2::interval where data ->> 'execution_id' = $1::text`,
    [id, interval],
  );
}

const jobsOf = (id: number) =>
  server.sql<{ state: string }>(`select state from pgboss.job_common where data ->> 'execution_id' = $1::text`, [id]);

const deleteJob = (id: number) =>
  server.sql(`delete from pgboss.job_common where data ->> 'execution_id' = $1::text returning id`, [id]);

/** What pg-boss does to a queue of its own accord, at intervals of up to a day. */
async function maintain(queue: string): Promise<void> {
  await server.sql('update pgboss.queue set monitor_on = null, maintain_on = null where name = $1', [queue]);
  await boss.supervise(queue);
}

/** That, and what workers do every few seconds. */
async function sweep(queue: string): Promise<void> {
  await maintain(queue);
  await checkTimeouts(engineAs(server, 'checkTimeouts'));
  await reconcileLeases(engineAs(server, 'reconcile'));
  await createUnclaimedSweep()(engineAs(server, 'reconcile'));
}

describe('a run that may take 48 hours', () => {
  let worker: WorkerProcess;
  beforeAll(async () => {
    worker = await startWorkerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  });
  afterAll(() => worker.stop());

  it('is run once, however long it takes, and timed out only after them', async () => {
    const weeks = 'function: sleep, callback_arguments: {seconds: 604800}, run_timeout: 2880';
    const experiment = await world.experimentIn(workflow(weeks));
    const seen = () => world.executionOf(experiment, 'c');
    await expect.poll(async () => (await seen()).status).toBe('running');
    const { id } = await seen();

    for (const [passed, interval] of [
      ['25 h', '25 hours'],
      ['47 h', '22 hours'],
    ] as const) {
      await setBack(id, interval);
      await sweep('callbacks');
      expect(await seen(), `after ${passed}`).toMatchObject({ status: 'running', attempt: 1 });
      expect(await jobsOf(id), `jobs after ${passed}`).toEqual([]);
      expect(await worker.metric('milepost_running'), `runs after ${passed}`).toBe(1);
    }

    await setBack(id, '1 hour');
    await sweep('callbacks');
    expect(await seen()).toMatchObject({ status: 'finished', result: 'timeout', attempt: 1 });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'timed_out', open: true }]);
    const { body } = await server.call('getCallbackExecution', { params: { id }, fields: 'last_error' });
    expect(body.last_error).toBe('The run was not over after 2880 minutes.');
    // The worker learns it with its next heartbeat, and lets go.
    await expect.poll(() => worker.metric('milepost_running')).toBe(0);
    expect(await worker.metric('milepost_runs_total{outcome="decided"}')).toBe(1);
    expect((await server.call('listExecutionAttempts', { params: { id } })).body.attempts).toHaveLength(1);
  });
});

describe('an execution whose job was deleted by hand', () => {
  it('gets another when it has waited for a minute', async () => {
    const { experiment, execution } = await waitingIn('by_hand');
    expect(await deleteJob(execution)).toHaveLength(1);
    await sweep(pulledQueue('by_hand'));
    expect(await world.claim('by_hand')).toEqual([]);
    await setBack(execution, '61 seconds');
    await sweep(pulledQueue('by_hand'));
    const [claim] = await world.claim('by_hand');
    expect(claim).toMatchObject({ execution: { id: execution }, attempt: 1 });
    await world.reportBy(claim, { status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('done');
  });

  it('gets another between two attempts, too', async () => {
    const { execution } = await waitingIn('between');
    await world.claim('between');
    await server.sql(
      `update execution_attempts set started_at = now() - interval '1 minute', heartbeat_at = now() - interval '1 minute'
       where execution_id = $1`,
      [execution],
    );
    await reconcileLeases(engineAs(server, 'reconcile'));
    await expect.poll(() => jobsOf(execution)).toHaveLength(1);
    await deleteJob(execution);
    // The pause between two attempts is over, and a minute more.
    await setBack(execution, '2 minutes');
    await sweep(pulledQueue('between'));
    expect(await world.claim('between')).toMatchObject([{ execution: { id: execution }, attempt: 2 }]);
  });
});

describe('an execution that nobody has taken for 15 days', () => {
  it('outlives the retention of its job, says so, and runs when somebody comes', async () => {
    const { experiment, execution } = await waitingIn('forgotten');
    const queue = pulledQueue('forgotten');
    await setBack(execution, '13 days');
    await maintain(queue);
    expect(await jobsOf(execution)).toEqual([{ state: 'created' }]);
    await setBack(execution, '2 days');
    await maintain(queue);
    expect(await jobsOf(execution)).toEqual([]);

    await createUnclaimedSweep()(engineAs(server, 'reconcile'));
    expect(await jobsOf(execution)).toEqual([{ state: 'created' }]);
    expect(await world.executionOf(experiment, 'c')).toMatchObject({ status: 'queued', attempt: 0 });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'unclaimed', open: true }]);
    await maintain(queue);
    expect(await jobsOf(execution)).toHaveLength(1);

    const [claim] = await world.claim('forgotten');
    expect(claim).toMatchObject({ execution: { id: execution }, attempt: 1 });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'unclaimed', open: false }]);
    await world.reportBy(claim, { status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('done');
  });
});
