/**
 * Results that are reported before the status `finished`.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { endRun, type RunEnd } from './end-run.ts';
import { reconcileLeases } from './recover-lost-work.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** An experiment with one execution. */
async function queued(more = '') {
  const queue = world.fresh('queue').replace(' ', '_');
  const experiment = await world.experimentIn(work(queue, more));
  const { id } = await world.executionOf(experiment, 'c');
  return { experiment, queue, id };
}
async function claimed(more = '') {
  const { experiment, queue, id } = await queued(more);
  const [claim] = await world.claim(queue);
  return { experiment, queue, id, claim };
}

const read = async (id: number) => (await server.call('getCallbackExecution', { params: { id } })).body;

const keep = async (id: number, result: string) =>
  expect(await world.report(id, { result })).toMatchObject({ status: 200, body: { result, finished: null } });

const loseLease = async (id: number) => {
  await world.loseLease(id);
  await reconcileLeases(engineContext(server, 'reconcile'));
};

const end = (id: number, of: RunEnd) =>
  endRun(engineContext(server, 'runCallback'), { executionId: id, attempt: 1, end: of, log: '' });

describe('a result before the status finished', () => {
  it.each(['created', 'queued', 'running', 'waiting'])('is kept and shown while the status is %s', async (status) => {
    const { experiment, id } = await queued(`, wait_timeout: 5, initial_delay: ${status === 'created' ? 60 : 0}`);
    if (status === 'running' || status === 'waiting') await world.report(id, { status });
    expect(await world.report(id, { result: 'success' })).toMatchObject({
      status: 200,
      body: { status, result: 'success', finished: null, warnings: [], experiment: { state: { label: 'run' } } },
    });
    expect(await read(id)).toMatchObject({ status, result: 'success' });
    expect(await world.actionsOf(experiment)).toMatchObject([{ ended: false, success: false }]);
  });

  it('counts when the status becomes finished', async () => {
    const { experiment, claim } = await claimed();
    await world.reportWithSecret(claim, { result: 'success', result_values: { x: 4 } });
    expect(await world.reportWithSecret(claim, { status: 'finished' })).toMatchObject({
      status: 200,
      body: { status: 'finished', result: 'success', warnings: [], experiment: { state: { label: 'good' } } },
    });
    expect(await world.variablesOf(experiment)).toEqual({ v: 4 });
    expect(await world.actionsOf(experiment)).toMatchObject([{ ended: true, success: true }, { sequence: 2 }]);
  });

  it('can come with the status waiting', async () => {
    const { experiment, id } = await queued(', wait_timeout: 5');
    await world.report(id, { status: 'waiting', result: 'failed' });
    expect(await read(id)).toMatchObject({ status: 'waiting', result: 'failed' });
    await world.report(id, { status: 'finished' });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'failed', open: true }]);
  });

  it('is none for conditions until the status becomes finished', async () => {
    const experiment = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}]
    transitions: [{destination: good, condition: "callbacks['c'].result == 'success'"}]
  - {label: good}
`);
    const { id } = await world.executionOf(experiment, 'c');
    await world.report(id, { result: 'success' });
    expect(await world.move(experiment, 'good')).toMatchObject({
      status: 409,
      body: { error: { code: 'condition_not_met', detail: expect.stringContaining('none') } },
    });
    await world.report(id, { status: 'finished' });
    expect(await world.stateOf(experiment)).toBe('good');
  });

  it('is replaced by a later one, also by none', async () => {
    const { experiment, id } = await queued();
    await world.report(id, { result: 'success' });
    await world.report(id, { result: 'failed' });
    expect(await read(id)).toMatchObject({ result: 'failed' });
    await world.report(id, { result: 'none' });
    expect(await read(id)).toMatchObject({ status: 'queued', result: 'none' });
    await world.report(id, { result: 'failed' });
    await world.report(id, { status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('good');
  });

  it('is recorded in the history and as an event', async () => {
    const { id } = await queued();
    await world.report(id, { result: 'success' });
    await world.report(id, { result: 'success' });
    const of = `object_kind = 'callback_execution' and object_id = $1 order by id`;
    expect(await server.sql(`select operation, before, after from history where ${of}`, [id])).toEqual([
      {
        operation: 'updateCallbackExecution',
        before: { status: 'queued', result: 'none' },
        after: { status: 'queued', result: 'success' },
      },
    ]);
    expect(await server.sql(`select kind, data from events where ${of}`, [id])).toEqual([
      { kind: 'updateCallbackExecution', data: { status: 'queued', result: 'success' } },
    ]);
  });

  it('is rejected with the secret of an earlier attempt, and with the status skipped', async () => {
    const { id, queue, claim } = await claimed();
    await loseLease(id);
    await world.skipPause(id);
    await world.claim(queue);
    expect(await world.reportWithSecret(claim, { result: 'success' })).toMatchObject({
      status: 409,
      body: { code: 'stale_attempt' },
    });
    expect(await world.report(id, { status: 'skipped', result: 'success' })).toMatchObject({
      status: 409,
      body: { code: 'status_conflict' },
    });
    expect(await read(id)).toMatchObject({ status: 'running', result: 'none' });
  });
});

describe('a kept result', () => {
  it('is cleared by the first attempt and by every further one', async () => {
    const { id, queue } = await queued();
    await keep(id, 'success');
    const [first] = await world.claim(queue);
    expect(await read(id)).toMatchObject({ status: 'running', result: 'none', attempt: 1 });
    await world.reportWithSecret(first, { result: 'success' });
    await loseLease(id);
    expect(await read(id)).toMatchObject({ status: 'running', result: 'none', attempt: 1 });
    await keep(id, 'failed');
    await world.skipPause(id);
    const [second] = await world.claim(queue);
    expect(await read(id)).toMatchObject({ status: 'running', result: 'none', attempt: 2 });
    expect(await world.reportWithSecret(second, { status: 'finished' })).toMatchObject({ body: { result: 'none' } });
  });

  it('is replaced by a timeout', async () => {
    const { experiment, id } = await claimed();
    await keep(id, 'success');
    await server.sql(`update callback_executions set deadline = now() - interval '1 second' where id = $1`, [id]);
    expect((await server.call('checkTimeouts')).body).toEqual({ run_timeouts: 1, wait_timeouts: 0 });
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'timeout' });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'timed_out', open: true }]);
  });

  it('is replaced by the result of the run itself', async () => {
    const { id } = await claimed();
    await keep(id, 'success');
    expect(await end(id, { kind: 'permanent', reason: 'Exit code 3.' })).toBe('recorded');
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'failed', last_error: 'Exit code 3.' });
  });

  it('stays if the run succeeds and then waits for a report', async () => {
    const { experiment, id } = await claimed(', wait_timeout: 5');
    await keep(id, 'success');
    await end(id, { kind: 'ended', result: 'success', values: {} });
    expect(await read(id)).toMatchObject({ status: 'waiting', result: 'success' });
    await world.report(id, { status: 'finished' });
    expect(await world.stateOf(experiment)).toBe('good');
  });

  it('is dropped if the run is skipped', async () => {
    const [reported, left] = [await queued(), await queued()];
    for (const { id } of [reported, left]) await keep(id, 'success');
    await world.report(reported.id, { status: 'skipped' });
    await world.move(left.experiment, 'other');
    for (const { id } of [reported, left]) {
      expect(await read(id)).toMatchObject({ status: 'skipped', result: 'none', warnings: [] });
    }
  });

  it('of a superseded action counts only for its own execution', async () => {
    const { experiment, id, claim } = await claimed();
    await world.reportWithSecret(claim, { result: 'success', result_values: { x: 1 } });
    await world.move(experiment, 'other');
    await world.reportWithSecret(claim, { status: 'finished' });
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'success' });
    expect(await world.stateOf(experiment)).toBe('other');
    expect(await world.variablesOf(experiment)).toEqual({});
    expect(await world.actionsOf(experiment)).toMatchObject([{ success: false }, { success: true }]);
  });
});

describe('the status finished without any result', () => {
  it('is final with the result none, and the response warns about it', async () => {
    const { experiment, id } = await queued();
    const finished = await world.report(id, { status: 'finished' });
    expect(finished).toMatchObject({ status: 200, body: { status: 'finished', result: 'none' } });
    expect(finished.body.warnings).toEqual([{ message: expect.stringContaining('without a result') }]);
    const late = await world.report(id, { result: 'success' });
    expect(late).toMatchObject({ status: 409, body: { code: 'already_resolved' } });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'failed', open: true }]);
  });
});
