/**
 * Timeouts, moves while callbacks run, retries, and versions of callbacks.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { reconcileLeases } from './recover-lost-work.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const overdue = (id: number) =>
  server.sql(`update callback_executions set deadline = now() - interval '1 second' where id = $1`, [id]);

async function checkConcurrently() {
  const ids = await Promise.all([1, 2, 3, 4, 5].map(() => world.experimentIn(work('rule7'))));
  const claims = await world.claim('rule7', { max: 5 });
  expect(claims).toHaveLength(5);
  for (const { execution } of claims) await overdue(execution.id);
  const together = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => server.call('checkTimeouts')));
  // If the concurrent checks conflicted for too long, they left the rest to the next check.
  const checks = [...together, await server.call('checkTimeouts')];
  const counted = checks.reduce((sum, { status, body }) => sum + (status === 200 ? body.run_timeouts : 0), 0);
  return { ids, claims, counted, statuses: checks.map(({ status }) => status) };
}

describe('timeouts', () => {
  it('are counted once if several callers check at the same time', async () => {
    let round = await checkConcurrently();
    // A 503 response does not say what it counted, so the round is repeated.
    for (let rounds = 1; rounds < 5 && round.statuses.includes(503); rounds++) round = await checkConcurrently();
    const { ids, claims, counted, statuses } = round;
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(counted).toBe(5);
    for (const id of ids) {
      expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'finished', result: 'timeout' });
      expect(await world.incidentsOf(id)).toEqual([{ kind: 'timed_out', open: true }]);
    }
    const { body } = await server.call('getCallbackExecution', { params: { id: claims[0].execution.id } });
    expect(body.run_log).toContain('The run did not finish within 60 minutes.');
  });

  it('end a waiting execution, but not a queued one', async () => {
    const id = await world.experimentIn(work('rule7b', ', wait_timeout: 2'));
    const { id: execution } = await world.executionOf(id, 'c');
    expect((await server.call('checkTimeouts')).body).toEqual({ run_timeouts: 0, wait_timeouts: 0 });
    await world.report(execution, { status: 'waiting' });
    await overdue(execution);
    expect((await server.call('checkTimeouts')).body).toEqual({ run_timeouts: 0, wait_timeouts: 1 });
    expect(await world.executionOf(id, 'c')).toMatchObject({ result: 'timeout' });
  });
});

describe('a move while executions are open', () => {
  it('skips executions that have not started and ignores the result of a running execution', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks:
      - {label: slow, function: worker, callback_arguments: {queue: rule11}, variable_map: {v: x}}
      - {label: later, function: worker, callback_arguments: {queue: worker}, initial_delay: 60}
    transitions: [{destination: other}]
  - {label: other, callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}]}
`);
    const [claim] = await world.claim('rule11');
    expect((await world.move(id, 'other')).status).toBe(200);
    const [left, entered] = await world.actionsOf(id);
    expect(left).toMatchObject({ ended: true, success: false, return_value: `{"superseded_by" : ${entered?.id}}` });
    expect(await world.executionOf(id, 'later')).toMatchObject({ status: 'skipped' });
    expect(await world.executionOf(id, 'slow')).toMatchObject({ status: 'running' });

    expect(
      (await world.reportWithSecret(claim, { status: 'finished', result: 'success', result_values: { x: 1 } })).status,
    ).toBe(200);
    expect(await world.stateOf(id)).toBe('other');
    expect(await world.variablesOf(id)).toEqual({});
    expect(await world.incidentsOf(id)).toEqual([]);
    const retried = await server.call('retryCallbackExecution', { params: { id: claim.execution.id }, body: {} });
    expect(retried.status).toBe(409);
  });
});

describe('a move between two attempts', () => {
  it('fails the execution and deletes its job', async () => {
    const id = await world.experimentIn(work('rule11b', ', run_timeout: 0'));
    const [claim] = await world.claim('rule11b');
    await world.loseLease(claim.execution.id);
    await reconcileLeases(engineContext(server, 'reconcile'));
    expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'running', attempt: 1 });
    expect((await world.move(id, 'other')).status).toBe(200);
    expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'finished', result: 'failed', attempt: 1 });
    const jobs = await server.sql(`select id from pgboss.job where data ->> 'execution_id' = $1`, [
      String(claim.execution.id),
    ]);
    expect(jobs).toEqual([]);
    expect(await world.incidentsOf(id)).toEqual([]);
  });
});

describe('a retry', () => {
  const pair = `states:
  - label: run
    callbacks: [{label: one, function: worker, callback_arguments: {queue: worker}}, {label: two, function: worker, callback_arguments: {queue: worker}, variable_map: {v: x}}]
    transitions: [{destination: good, condition: "callbacks['one'].result == 'success' && callbacks['two'].result == 'success'"}]
  - {label: good}
`;

  it('runs the callbacks that did not succeed and carries over the outcomes of the other callbacks', async () => {
    const id = await world.experimentIn(pair);
    const [one, two] = await world.executionsOf(id);
    await world.finish(one?.id ?? 0, 'success');
    const open = await server.call('retryExperiment', { params: { id }, body: {} });
    expect(open).toMatchObject({ status: 409, body: { code: 'action_open' } });
    expect(open.body.detail).toContain(`execution ${two?.id}`);
    await world.finish(two?.id ?? 0, 'failed');
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: true }]);

    const retried = await server.call('retryExperiment', { params: { id }, body: { reason: 'Archive was down' } });
    expect(retried).toMatchObject({
      status: 200,
      body: { freetext: 'Archive was down', retry_of: { id: expect.any(Number) } },
    });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: false }]);
    expect(await world.stateOf(id)).toBe('run');
    const retry = await world.executionOf(id, 'two');
    expect(retry).toMatchObject({ sequence: 2, status: 'queued' });
    expect((await world.executionsOf(id)).filter(({ sequence }) => sequence === 2)).toHaveLength(1);
    await world.finish(retry.id, 'success', { x: 5 });
    expect(await world.stateOf(id)).toBe('good');
    expect(await world.variablesOf(id)).toEqual({ v: 5 });
  });

  it('can run a single execution again, even one whose outcome was carried over', async () => {
    const id = await world.experimentIn(pair);
    const [one, two] = await world.executionsOf(id);
    await world.finish(one?.id ?? 0, 'failed');
    await world.finish(two?.id ?? 0, 'failed');
    await server.call('retryCallbackExecution', { params: { id: two?.id ?? 0 }, body: {} });
    await world.finish((await world.executionOf(id, 'two')).id, 'success');
    expect(await world.stateOf(id)).toBe('run');
    // `one` failed two actions ago, but its outcome belongs to the latest action.
    expect((await server.call('retryCallbackExecution', { params: { id: one?.id ?? 0 }, body: {} })).status).toBe(200);
    await world.finish((await world.executionOf(id, 'one')).id, 'success');
    expect(await world.stateOf(id)).toBe('good');
    expect((await world.actionsOf(id)).map(({ retry_of }) => retry_of !== null)).toEqual([false, true, true, false]);
  });

  it('is rejected if every callback succeeded or was skipped', async () => {
    const id = await world.experimentIn(work('rule12'));
    await world.report((await world.executionOf(id, 'c')).id, { status: 'skipped' });
    const answer = await server.call('retryExperiment', { params: { id }, body: {} });
    expect(answer).toMatchObject({ status: 409, body: { code: 'nothing_to_retry' } });
  });
});

describe('a re-evaluation', () => {
  it('moves the experiment after a variable was corrected, and keeps the corrected value', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}, variable_map: {usable: ok}}]
    transitions: [{destination: good, condition: "experiment.variables['usable'] == true"}]
  - {label: good, transitions: [{destination: best, condition: "experiment.variables['usable'] == 1"}]}
  - {label: best}
`);
    await world.finish((await world.executionOf(id, 'c')).id, 'success', { ok: false });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'no_way_on', open: true }]);
    const evaluate = () => server.call('evaluateExperiment', { params: { id }, body: { reason: 'Seen by eye' } });
    expect((await evaluate()).body).toMatchObject({ moved: false, state: { label: 'run' } });
    const recorded = await server.sql(
      `select reason from history_with_values where operation = 'evaluateExperiment' and object_id = $1`,
      [id],
    );
    expect(recorded).toEqual([{ reason: 'Seen by eye' }]);
    const set = (value: unknown) =>
      server.call('setExperimentVariable', { params: { id, name: 'usable' }, body: { value, reason: 'by eye' } });
    await set(true);
    expect((await evaluate()).body).toMatchObject({
      moved: true,
      state: { label: 'good' },
      action: { freetext: 'Seen by eye' },
    });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'no_way_on', open: false }]);
    // States without callbacks can be re-evaluated, too.
    await set(1);
    expect((await evaluate()).body).toMatchObject({ moved: true, state: { label: 'best' } });
  });
});

describe('an execution', () => {
  it('keeps its callback version, while a retry uses the current one', async () => {
    const label = await world.importWorkflow(work('rule15'));
    const id = await world.experimentOf(label);
    await world.importWorkflow(work('rule15', ', description: changed'), label);
    const { id: execution } = await world.executionOf(id, 'c');
    const shown = await server.call('getCallbackExecution', { params: { id: execution } });
    expect(shown.body.callback.description).toBe('');
    await world.finish(execution, 'failed');
    await server.call('retryExperiment', { params: { id }, body: {} });
    const retried = await server.call('getCallbackExecution', {
      params: { id: (await world.executionOf(id, 'c')).id },
    });
    expect(retried.body.callback.description).toBe('changed');
  });
});

describe('a callback that an import has removed', () => {
  it('cannot be retried', async () => {
    const label = await world.importWorkflow(work('rule15b'));
    const id = await world.experimentOf(label);
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    await world.importWorkflow(work('rule15b').replace('label: c,', 'label: d,').replaceAll("'c'", "'d'"), label);
    const answer = await server.call('retryExperiment', { params: { id }, body: {} });
    expect(answer).toMatchObject({ status: 409, body: { code: 'callback_retired' } });
  });
});

describe('an ended action', () => {
  it('keeps the inputs of its conditions', async () => {
    const id = await world.experimentIn(work('rule15c'));
    await world.finish((await world.executionOf(id, 'c')).id, 'success', { x: 9 });
    const [first] = await server.sql<{ inputs: object }>(
      'select inputs from actions where experiment_id = $1 order by id',
      [id],
    );
    expect(first?.inputs).toMatchObject({
      experiment: { state: 'run', variables: { v: 9 } },
      callbacks: { c: { status: 'finished', result: 'success', result_values: { x: 9 } } },
    });
  });
});
