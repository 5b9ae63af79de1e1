/**
 * What the counts per state tell about experiments: failed, timed out, running, retrying, waiting, overdue, to decide.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import type { StateCount } from '../../store/experiments/state-counts.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const counts = async (label: string) => {
  const [row] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
  const { body } = await server.call('getWorkflowCounts', { params: { id: row?.id ?? 0 } });
  const states = (body.states as (StateCount & { state: { label: string } })[]).map(
    ({ state, ...one }): [string, Omit<StateCount, 'id' | 'label'>] => [state.label, one],
  );
  return { body, of: Object.fromEntries(states) };
};

const none = {
  failed: 0,
  timed_out: 0,
  running: 0,
  retrying: 0,
  waiting: 0,
  waiting_overdue: 0,
  blocked: 0,
  decide: 0,
  decide_overdue: 0,
  undecided: 0,
  attention: 0,
};

describe('the counts per state', () => {
  it('include each failed, timed-out, waiting or blocked experiment once', async () => {
    const queue = world.fresh('queue').replace(' ', '_');
    const workflow = await world.importWorkflow(pulledWorkflow(queue, ', wait_timeout: 60'));
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await world.experimentOf(workflow));
    const [failed, timedOut, waiting, blocked, moved] = ids as [number, number, number, number, number];
    const openIncident = (experiment: number, kind: string) =>
      server.sql('insert into incidents (experiment_id, kind) values ($1, $2)', [experiment, kind]);
    await openIncident(failed, 'failed');
    await openIncident(timedOut, 'timed_out');
    for (const kind of ['brake', 'unclaimed', 'no_way_on']) await openIncident(blocked, kind);
    await server.sql(
      `insert into incidents (experiment_id, kind, closed_at) values ($1, 'failed', clock_timestamp())`,
      [timedOut],
    );
    for (const id of [waiting, moved]) {
      const [execution] = await world.executionsOf(id);
      await server.call('updateCallbackExecution', { params: { id: execution?.id ?? 0 }, body: { status: 'waiting' } });
    }
    // Its execution still waits, but the experiment no longer depends on it.
    await server.call('setExperimentState', { params: { id: moved }, body: { state_label: 'other' } });
    const { body, of } = await counts(workflow);
    expect(of).toEqual({
      run: { ...none, experiments: 4, failed: 1, timed_out: 1, waiting: 1, blocked: 1, attention: 3 },
      good: { ...none, experiments: 0 },
      other: { ...none, experiments: 1 },
    });
    expect(body.experiments).toBe(5);
  });

  it('tell running, retrying and overdue experiments apart, and count each that needs attention once', async () => {
    const queue = world.fresh('queue').replace(' ', '_');
    const workflow = await world.importWorkflow(
      `initial: run\nstates:
  - {label: run, callbacks: [{label: c, function: ${queue}, wait_timeout: 6000}], transitions: [{destination: qc}]}
  - {label: qc, decision: {due: 1h}, transitions: [{destination: end, by: person}]}
  - {label: end}\n`,
    );
    const ids = [];
    for (let n = 0; n < 6; n++) ids.push(await world.experimentOf(workflow));
    const [, retried, waiting, late, due, overdue] = ids as [number, number, number, number, number, number];
    const executionOf = async (id: number) => (await world.executionsOf(id))[0]?.id ?? 0;
    await server.sql(
      `update callback_executions set status = 'running', attempt = 1, failures = 1, run_start = now() where id = $1`,
      [await executionOf(retried)],
    );
    for (const id of [waiting, late])
      await server.call('updateCallbackExecution', {
        params: { id: await executionOf(id) },
        body: { status: 'waiting' },
      });
    await server.sql(
      `update callback_executions set created = now() - interval '26 hours', run_start = now() - interval '26 hours', wait_start = now() - interval '25 hours' where id = $1`,
      [await executionOf(late)],
    );
    for (const id of [due, overdue]) await world.move(id, 'qc');
    await server.sql(
      `update experiments set resting_since = resting_since - interval '2 hours', version = version + 1 where id = $1`,
      [overdue],
    );
    const { of } = await counts(workflow);
    expect(of).toEqual({
      run: {
        ...none,
        experiments: 4,
        running: 2,
        retrying: 1,
        waiting: 2,
        waiting_overdue: 1,
        attention: 1,
      },
      qc: { ...none, experiments: 2, decide: 2, decide_overdue: 1, attention: 2 },
      end: { ...none, experiments: 0 },
    });
    for (const id of [late, overdue]) {
      const body = { until: new Date(Date.now() + 86_400_000).toISOString(), note: 'next week' };
      expect((await server.call('snoozeExperiment', { params: { id }, body })).status).toBe(200);
    }
    const { of: later } = await counts(workflow);
    expect(later['run']).toMatchObject({ waiting: 2, waiting_overdue: 0, attention: 0 });
    expect(later['qc']).toMatchObject({ experiments: 2, decide: 1, decide_overdue: 0, attention: 1, running: 0 });
  });
});
