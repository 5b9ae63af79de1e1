/**
 * Withdrawal of a subject: open work ends, its experiments no longer move or count, and no concurrent request bypasses this.
 *
 * @module-tag sql
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';
import { dumpAll, dumpAllWhenIdle } from '../../../testing/rows/whole-dump.ts';
import { endRun } from '../../engine/runs/end-run.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const withdraw = (id: number) =>
  server.call('withdrawSubject', { params: { id }, body: { reason: 'by letter', date: '2026-03-01' } });

/** A subject with a running, a queued and a failed experiment. */
async function busySubject() {
  const queue = world.fresh('queue').replace(' ', '_');
  const workflow = await world.importWorkflow(pulledWorkflow(queue));
  const failed = await world.experimentOf(workflow);
  await world.finish((await world.executionOf(failed, 'c')).id, 'failed');
  const { id: subject } = (await server.call('getExperiment', { params: { id: failed } })).body.subject;
  const create = async () => {
    const body = { label: world.fresh('experiment'), subject_id: subject, workflow_label: workflow };
    return (await server.call('createExperiment', { body })).body.id as number;
  };
  const running = await create();
  const [claim] = await world.claim(queue);
  return { subject: subject as number, workflow, queue, failed, running, queued: await create(), claim };
}

const countOf = async (workflow: string) => {
  const [row] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [workflow]);
  return (await server.call('getWorkflowCounts', { params: { id: row?.id ?? 0 } })).body.experiments as number;
};

const twoStates = (last: string) =>
  `initial: a\nstates:\n  - {label: a, transitions: [{destination: ${last}}]}\n  - {label: ${last}}\n`;

const jobsOf = (execution: number) =>
  server.sql(`select from pgboss.job where id = lpad(to_hex($1::bigint), 32, '0')::uuid`, [execution]);

describe('before a withdrawal', () => {
  it('the runs that it ends are listed, and no others', async () => {
    const { subject, running, queued } = await busySubject();
    const { body } = await server.call('getWithdrawal', { params: { id: subject } });
    expect(body).toMatchObject({ withdrawn: null, moving: 3, open_runs: 2 });
    expect(
      body.runs.map((run: { experiment: { id: number }; status: string }) => [run.experiment.id, run.status]),
    ).toEqual([
      [running, 'running'],
      [queued, 'queued'],
    ]);
  });

  it('the number of runs counts those that are not listed', async () => {
    const queue = world.fresh('queue').replace(' ', '_');
    const workflow = await world.importWorkflow(pulledWorkflow(queue));
    const first = await world.experimentOf(workflow);
    const { id: subject } = (await server.call('getExperiment', { params: { id: first } })).body.subject;
    for (let n = 0; n < 21; n++) {
      const body = { label: world.fresh('experiment'), subject_id: subject, workflow_label: workflow };
      await server.call('createExperiment', { body });
    }
    const { body } = await server.call('getWithdrawal', { params: { id: subject } });
    expect([body.open_runs, body.runs.length]).toEqual([22, 20]);
  });
});

describe('after a withdrawal', () => {
  it('its author, time and reason are shown, and rows of experiments have its date', async () => {
    const { subject, running } = await busySubject();
    const before = Date.now();
    await withdraw(subject);
    const { body } = await server.call('getWithdrawal', { params: { id: subject } });
    expect(body).toMatchObject({ open_runs: 0, runs: [], withdrawn: { date: '2026-03-01', reason: 'by letter' } });
    expect(body.withdrawn.by.name).not.toBe('');
    expect(Date.parse(body.withdrawn.recorded_at)).toBeGreaterThan(before - 60_000);
    const { body: rows } = await server.call('listExperimentRows', { query: { subject_id: subject } });
    expect(rows.experiments.map((row: { withdrawn: string }) => row.withdrawn)).toEqual(Array(3).fill('2026-03-01'));
    expect((await server.call('getExperimentOverview', { params: { id: running } })).body.withdrawn).toBe('2026-03-01');
  });

  it("the subject's executions and actions end, queued jobs are deleted, and incidents close", async () => {
    const { subject, running, queued, failed } = await busySubject();
    expect(await jobsOf((await world.executionOf(queued, 'c')).id)).toHaveLength(1);
    expect(await world.incidentsOf(failed)).toEqual([{ kind: 'failed', open: true }]);
    expect((await withdraw(subject)).body.withdrawn).toEqual({ date: '2026-03-01', erased_at: null });
    expect(await world.executionOf(running, 'c')).toMatchObject({ status: 'finished', result: 'failed' });
    expect(await world.executionOf(queued, 'c')).toMatchObject({ status: 'skipped', result: 'none' });
    expect(await jobsOf((await world.executionOf(queued, 'c')).id)).toEqual([]);
    const [action] = await world.actionsOf(running);
    expect(action).toMatchObject({ ended: true, success: false, return_value: '{"subject_withdrawn" : true}' });
    expect(await world.incidentsOf(failed)).toEqual([{ kind: 'failed', open: false }]);
    // No transition was taken, although the condition of one is met after a failure.
    expect(await world.stateOf(running)).toBe('run');
  });

  it('counts and the attention list exclude the subject, and the cohort matrix shows the subject as withdrawn', async () => {
    const { subject, workflow, failed } = await busySubject();
    const { body: before } = await server.call('getSubject', { params: { id: subject } });
    expect([await countOf(workflow), before.withdrawn]).toEqual([3, null]);
    const inAttention = async () =>
      JSON.stringify((await server.call('listAttention', {})).body).includes(`/experiments/${failed}"`);
    expect(await inAttention()).toBe(true);
    await withdraw(subject);
    expect(await inAttention()).toBe(false);
    expect(await countOf(workflow)).toBe(0);
    expect(await wrongCounts(server.sql)).toEqual([]);
    const matrix = await server.call('getCohortMatrix', { params: { id: before.cohort.id } });
    expect(matrix.body.subjects).toMatchObject([{ id: subject, withdrawn: { date: '2026-03-01' } }]);
    expect(matrix.body.subjects[0].experiments).toHaveLength(3);
    const { body: listed } = await server.call('listSubjects', { query: { cohort_label: before.cohort.label } });
    expect(listed.subjects).toHaveLength(1);
  });

  it("the subject's experiments cannot move or change, and the error says why", async () => {
    const { subject, running, failed } = await busySubject();
    const other = await world.subject();
    await withdraw(subject);
    const moved = await world.move(failed, 'other');
    expect(moved).toMatchObject({ status: 409, body: { success: false, error: { code: 'subject_withdrawn' } } });
    expect(moved.body.error.detail).toBe('The subject has withdrawn, so its experiments cannot move.');
    const params = { id: failed };
    const reason = 'a mistake';
    const refused = [
      await server.call('placeExperiment', { params, body: { state: 'good', reason } }),
      await server.call('retryExperiment', { params, body: { reason } }),
      await server.call('evaluateExperiment', { params, body: { reason } }),
      await server.call('updateExperiment', { params, body: { subject_id: other.id } }),
      await server.call('createExperiment', { body: { label: 'new', subject_id: subject } }),
      await world.finish((await world.executionOf(running, 'c')).id, 'success'),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [409, 'subject_withdrawn']),
    );
    const { body } = await server.call('getExperimentTransitions', { params });
    expect(body.transitions).toMatchObject([{ allowed: false }, { allowed: false }]);
    expect(await world.stateOf(failed)).toBe('run');
  });

  it('experiments of other subjects cannot be assigned to the subject', async () => {
    const { subject } = await busySubject();
    await withdraw(subject);
    const other = await world.experimentIn(pulledWorkflow('elsewhere'));
    const answer = await server.call('updateExperiment', { params: { id: other }, body: { subject_id: subject } });
    expect(answer).toMatchObject({ status: 409, body: { code: 'subject_withdrawn' } });
  });

  it('renewals tell workers to stop, and late reports are rejected', async () => {
    const { subject, running, claim } = await busySubject();
    await withdraw(subject);
    const as = { as: null, headers: { authorization: `Bearer ${claim.secret}` } };
    const params = { execution_id: claim.execution.id };
    const renewed = await server.call('renewClaim', { ...as, params, body: { log: 'late-heartbeat' } });
    expect(renewed.body).toMatchObject({ continue: false });
    const report = { status: 'finished', result: 'success', run_log: 'late-log', result_values: { x: 'late-value' } };
    expect(await world.reportWithSecret(claim, report)).toMatchObject({
      status: 409,
      body: { code: 'subject_withdrawn' },
    });
    expect(await endRunLate(claim.execution.id)).toBe('decided');
    expect(await dumpAll(server.testDatabase.superuserUrl)).not.toMatch(/late-(heartbeat|log|value|end)/);
    expect(await world.variablesOf(running)).toEqual({});
  });

  it("a workflow import does not move the subject's experiments, even out of a removed state", async () => {
    const label = await world.importWorkflow(twoStates('old'));
    const experiment = await world.experimentOf(label);
    await world.move(experiment, 'old');
    const { body } = await server.call('getExperiment', { params: { id: experiment } });
    const workflow_definition = `label: ${label}\n${twoStates('new')}`;
    expect((await server.call('importWorkflow', { body: { workflow_definition } })).status).toBe(409);
    await withdraw(body.subject.id);
    expect((await server.call('importWorkflow', { body: { workflow_definition } })).status).toBe(200);
    expect(await world.stateOf(experiment)).toBe('old');
    expect(await world.move(experiment, 'a')).toMatchObject({
      status: 409,
      body: { error: { code: 'subject_withdrawn' } },
    });
    expect(await wrongCounts(server.sql)).toEqual([]);
  });
});

/** Ends the run like a worker that does not know of the withdrawal yet. */
const endRunLate = (executionId: number) =>
  endRun(engineContext(server, 'endRun'), {
    executionId,
    attempt: 1,
    end: { kind: 'ended', result: 'success', values: { x: 'late-end' } },
    log: 'late-end',
  });

/** Locks an execution, so that a withdrawal starts to write and then waits. */
async function lockExecution(execution: number) {
  const client = new Client({ connectionString: server.testDatabase.superuserUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from callback_executions where id = $1 for update', [execution]);
  const blocked = async () => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`,
    );
    return rows;
  };
  const blockedPid = async (): Promise<number> => (await blocked())[0]?.pid ?? blockedPid();
  return { client, blockedPid };
}

describe('during a withdrawal', () => {
  it('the creation of an experiment waits and is rejected', async () => {
    const { subject, workflow, queued } = await busySubject();
    const { client, blockedPid } = await lockExecution((await world.executionOf(queued, 'c')).id);
    const withdrawing = withdraw(subject);
    await blockedPid();
    const body = { label: world.fresh('experiment'), subject_id: subject, workflow_label: workflow };
    const creating = server.call('createExperiment', { body });
    const waiting = async (): Promise<void> => {
      const { rows } = await client.query(`select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0`);
      return rows.length < 2 ? waiting() : undefined;
    };
    await waiting();
    await client.query('commit');
    await client.end();
    expect((await withdrawing).status).toBe(200);
    expect(await creating).toMatchObject({ status: 409, body: { code: 'subject_withdrawn' } });
    expect(await wrongCounts(server.sql)).toEqual([]);
  });

  it('nothing is written if the connection is terminated', async () => {
    const { subject, queued } = await busySubject();
    const { client, blockedPid } = await lockExecution((await world.executionOf(queued, 'c')).id);
    const before = await dumpAllWhenIdle(server.testDatabase.superuserUrl);
    const withdrawing = withdraw(subject);
    await client.query('select pg_terminate_backend($1)', [await blockedPid()]);
    expect((await withdrawing).status).toBe(503);
    await client.query('commit');
    await client.end();
    expect(await dumpAll(server.testDatabase.superuserUrl)).toBe(before);
    expect((await withdraw(subject)).status).toBe(200);
  });
});
