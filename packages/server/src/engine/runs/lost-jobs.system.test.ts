/**
 * The execution's row is the source of truth, whatever happens to its job: a run of several days is not started twice, and an
 * execution whose job was deleted gets another. The tests set times back instead of waiting.
 */
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { createPrograms } from '../../../testing/counterparts/programs.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { queueSchema } from '../../database/queue-schema.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { createUnclaimedSweep, reconcileLeases } from './recover-lost-work.ts';
import { watchQueues } from './watch-queues.ts';
import { pulledQueue } from '../../jobs/queue-names.ts';

let server: TestServer;
let world: EngineWorld;
let boss: PgBoss;

beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  const { databaseUrl: connectionString } = server.testDatabase;
  boss = new PgBoss({ connectionString, schema: queueSchema, migrate: false, supervise: false, schedule: false });
  boss.on('error', (error) => expect.unreachable(`pg-boss error: ${error.message}`));
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

/** Creates an experiment whose execution waits for a pulling worker. */
async function createWaiting(queue: string) {
  const experiment = await world.experimentIn(workflow(`function: worker, callback_arguments: {queue: ${queue}}`));
  return { experiment, execution: (await world.executionOf(experiment, 'c')).id };
}

/** Moves all times of the execution into the past. Its heartbeats continue. */
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

/** Runs the maintenance that pg-boss runs on its own, at intervals of up to a day. */
async function maintain(queue: string): Promise<void> {
  await server.sql('update pgboss.queue set monitor_on = null, maintain_on = null where name = $1', [queue]);
  await boss.supervise(queue);
}

/** Runs the maintenance and the periodic tasks of workers. */
async function sweep(queue: string): Promise<void> {
  await maintain(queue);
  await checkTimeouts(engineContext(server, 'checkTimeouts'));
  await reconcileLeases(engineContext(server, 'reconcile'));
  await createUnclaimedSweep()(engineContext(server, 'reconcile'));
}

describe('a run with a timeout of 48 hours', () => {
  let worker: WorkerProcess;
  const programs = createPrograms();
  beforeAll(async () => {
    worker = await startWorkerProcess({
      DATABASE_URL: server.testDatabase.databaseUrl,
      MILEPOST_COMMANDS: `long=${programs.shell('long', 'exec sleep 604800')}`,
    });
  });
  afterAll(async () => {
    await worker.stop();
    programs.remove();
  });

  it('is started once and times out after 48 hours', async () => {
    const oneWeek = 'function: command, callback_arguments: {binary: long}, run_timeout: 2880';
    const experiment = await world.experimentIn(workflow(oneWeek));
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
    expect(body.last_error).toBe('The run did not finish within 2880 minutes.');
    // The worker stops the run at its next heartbeat.
    await expect.poll(() => worker.metric('milepost_running')).toBe(0);
    expect(await worker.metric('milepost_runs_total{outcome="decided"}')).toBe(1);
    expect((await server.call('listExecutionAttempts', { params: { id } })).body.attempts).toHaveLength(1);
  });
});

describe('an execution whose job was deleted', () => {
  it('gets another job after one minute', async () => {
    const { experiment, execution } = await createWaiting('by_hand');
    expect(await deleteJob(execution)).toHaveLength(1);
    await sweep(pulledQueue('by_hand'));
    expect(await world.claim('by_hand')).toEqual([]);
    await setBack(execution, '61 seconds');
    await sweep(pulledQueue('by_hand'));
    const [claim] = await world.claim('by_hand');
    expect(claim).toMatchObject({ execution: { id: execution }, attempt: 1 });
    await world.reportWithSecret(claim, { status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('done');
  });

  it('gets another job if its job was deleted between two attempts', async () => {
    const { execution } = await createWaiting('between');
    await world.claim('between');
    await world.loseLease(execution);
    await reconcileLeases(engineContext(server, 'reconcile'));
    await expect.poll(() => jobsOf(execution)).toHaveLength(1);
    await deleteJob(execution);
    // The pause between two attempts and one more minute have passed.
    await setBack(execution, '2 minutes');
    await sweep(pulledQueue('between'));
    expect(await world.claim('between')).toMatchObject([{ execution: { id: execution }, attempt: 2 }]);
  });
});

describe('an execution that was not claimed for 15 days', () => {
  it('outlives its expired job, opens an incident and can be claimed', async () => {
    const { experiment, execution } = await createWaiting('forgotten');
    const queue = pulledQueue('forgotten');
    await setBack(execution, '13 days');
    await maintain(queue);
    expect(await jobsOf(execution)).toEqual([{ state: 'created' }]);
    await setBack(execution, '2 days');
    await maintain(queue);
    expect(await jobsOf(execution)).toEqual([]);

    await createUnclaimedSweep()(engineContext(server, 'reconcile'));
    expect(await jobsOf(execution)).toEqual([{ state: 'created' }]);
    expect(await world.executionOf(experiment, 'c')).toMatchObject({ status: 'queued', attempt: 0 });
    await watchQueues(engineContext(server, 'reconcile'));
    await world.neglectQueue('forgotten', '15 minutes');
    await watchQueues(engineContext(server, 'reconcile'));
    expect(await world.queueIncidentsOf('forgotten')).toEqual([{ open: true, passed_over: null }]);
    await maintain(queue);
    expect(await jobsOf(execution)).toHaveLength(1);

    const [claim] = await world.claim('forgotten');
    expect(claim).toMatchObject({ execution: { id: execution }, attempt: 1 });
    expect(await world.queueIncidentsOf('forgotten')).toEqual([{ open: false, passed_over: null }]);
    await world.reportWithSecret(claim, { status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('done');
  });
});
