/**
 * Sweeps and starts continue while another transaction locks a workflow or an experiment.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { openTestDatabase } from '../../../testing/open-database.ts';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import type { Database } from '../../database/connection.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { reconcileLeases } from './recover-lost-work.ts';
import { renewLeases } from '../../store/runs/attempts.ts';
import { startAttempts } from './start-attempts.ts';

let server: TestServer;
let world: EngineWorld;
/** Waits 100 ms for locks instead of two seconds. Only the tests themselves hold locks. */
let impatient: Database;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  impatient = openTestDatabase(server.testDatabase.databaseUrl, { lockMs: 100 });
});
afterAll(async () => {
  await impatient.close();
  await server.stop();
});

/** Locks rows while the work runs. */
const whileLocked = <T>(rows: string, id: number, work: () => Promise<T>): Promise<T> =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(rows, [id]);
    try {
      return await work();
    } finally {
      await client.query('rollback');
    }
  });

/** The lock of an import. */
const workflowRow = 'select from workflows where id = (select workflow_id from experiments where id = $1) for update';
/** The lock of every change of an experiment. */
const experimentRow = 'select from experiments where id = $1 for no key update';

async function executionIn(queue: string) {
  const experiment = await world.experimentIn(pulledWorkflow(queue));
  return { experiment, execution: (await world.executionOf(experiment, 'c')).id };
}

/** Copies a running execution, to get more than one batch of a sweep in the same workflow. */
async function copyRunning(id: number, count: number): Promise<void> {
  await server.sql(
    `with one as (
       select experiments.*, actions.transition_id, callback_id, callback_version
       from callback_executions join actions on actions.id = action_id join experiments on experiments.id = experiment_id
       where callback_executions.id = $1
     ), copies as (
       insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
       select subject_id, cohort_id, workflow_id, state_id, label || n, 1 from one, generate_series(1, $2) n returning id
     ), entries as (
       insert into actions (experiment_id, sequence, transition_id, actor_kind)
       select copies.id, 1, transition_id, 'engine' from copies, one returning id
     ), runs as (
       insert into callback_executions (action_id, callback_id, callback_version, status, attempt, created, run_start, deadline)
       select entries.id, callback_id, callback_version, 'running', 1, past, past, past
       from entries, one, (select now() - interval '1 hour' as past) times returning id)
     insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, heartbeat_at)
     select runs.id, 1, decode(repeat('00', 32), 'hex'), 'gone', past, past from runs, (select now() - interval '1 hour' as past) times`,
    [id, count],
  );
}

const expireAll = async (ids: readonly number[]) => {
  await server.sql(`update callback_executions set deadline = date_trunc('milliseconds', now()) where id = any($1)`, [
    ids,
  ]);
  await world.loseLease(...ids);
};

describe('the sweeps', () => {
  const more = 250;

  it('handle lost runs and timeouts of other workflows while an import locks one, and those of the locked workflow afterwards', async () => {
    const [locked, free] = [await executionIn('locked'), await executionIn('free')];
    await world.claim('locked');
    await world.claim('free');
    await copyRunning(locked.execution, more);
    await expireAll([locked.execution, free.execution]);
    // Storing the layout of a workflow also locks its row.
    await expect.poll(() => server.sql('select from workflows where layout is null')).toEqual([]);
    await whileLocked(workflowRow, locked.experiment, async () => {
      const database = impatient;
      expect(await reconcileLeases(engineContext({ database }, 'reconcile'))).toBe(1);
      expect(await checkTimeouts(engineContext({ database }, 'checkTimeouts'))).toEqual({
        run_timeouts: 1,
        wait_timeouts: 0,
      });
    });
    expect(await world.executionOf(free.experiment, 'c')).toMatchObject({ status: 'finished', result: 'timeout' });
    expect(await world.executionOf(locked.experiment, 'c')).toMatchObject({ status: 'running', result: 'none' });
    expect(await checkTimeouts(engineContext(server, 'checkTimeouts'))).toEqual({
      run_timeouts: more + 1,
      wait_timeouts: 0,
    });
  });
});

describe('startAttempts', () => {
  it('postpones an execution whose experiment is locked and starts the other executions', async () => {
    const [locked, free] = [await executionIn('later'), await executionIn('now')];
    const ids = [locked.execution, free.execution];
    const started = await whileLocked(experimentRow, locked.experiment, () =>
      startAttempts(engineContext(server, 'runCallback'), ids, 'w'),
    );
    expect(started.map(({ execution }) => execution.id)).toEqual([free.execution]);
    expect(await world.executionOf(locked.experiment, 'c')).toMatchObject({ status: 'queued', attempt: 0 });
    await expect.poll(() => world.claim('later')).toMatchObject([{ execution: { id: locked.execution }, attempt: 1 }]);
  });

  it('postpones the executions of a locked workflow, which could not record their end', async () => {
    const [locked, free] = [await executionIn('imported'), await executionIn('untouched')];
    const ids = [locked.execution, free.execution];
    const started = await whileLocked(workflowRow, locked.experiment, () =>
      startAttempts(engineContext(server, 'runCallback'), ids, 'w'),
    );
    expect(started).toMatchObject([{ execution: { id: free.execution }, attempt: 1 }]);
    await expect.poll(() => world.claim('imported')).toMatchObject([{ execution: { id: locked.execution } }]);
  });
});

describe('renewLeases', () => {
  it('renews the other leases while another transaction locks one of them', async () => {
    const [locked, free] = [await executionIn('erased'), await executionIn('kept')];
    await world.claim('erased');
    await world.claim('kept');
    const leases = [locked, free].map(({ execution }) => ({ executionId: execution, attempt: 1, log: 'words' }));
    const attemptRow = 'select from execution_attempts where execution_id = $1 for update';
    expect(await whileLocked(attemptRow, locked.execution, () => renewLeases(server.database.db, leases))).toEqual({
      renewed: new Set([`${free.execution}:1`]),
      locked: new Set([`${locked.execution}:1`]),
    });
  });
});

const jobOf = (id: number) =>
  server.sql<{ early: number }>(
    `select extract(epoch from next_attempt_at - start_after)::float as early from pgboss.job_common
     join callback_executions on callback_executions.id::text = data ->> 'execution_id' where callback_executions.id = $1`,
    [id],
  );

describe('a job that is fetched too early', () => {
  it('is postponed and not lost', async () => {
    const experiment = await world.experimentIn(pulledWorkflow('early', ', initial_delay: 3600'));
    const { id } = await world.executionOf(experiment, 'c');
    await server.sql(
      `update pgboss.job_common set created_on = now(), start_after = now() where data ->> 'execution_id' = $1::text`,
      [id],
    );
    expect(await world.claim('early')).toEqual([]);
    expect(await world.executionOf(experiment, 'c')).toMatchObject({ status: 'created', attempt: 0 });
    const [job, ...others] = await jobOf(id);
    expect(others).toEqual([]);
    // The job is due with the execution: neither now nor after twice the delay.
    expect(Math.abs(job?.early ?? Infinity)).toBeLessThan(1800);
    await server.sql(
      `update callback_executions set next_attempt_at = date_trunc('milliseconds', now()) where id = $1`,
      [id],
    );
    await server.sql(
      `update pgboss.job_common set created_on = now(), start_after = now() where data ->> 'execution_id' = $1::text`,
      [id],
    );
    expect(await world.claim('early')).toMatchObject([{ execution: { id }, attempt: 1 }]);
  });
});
