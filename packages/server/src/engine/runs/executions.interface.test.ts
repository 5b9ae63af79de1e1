/**
 * The rules of executions (docs/decisions/0007), tested over HTTP.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** One callback with these settings in the initial state. Success leads to `good`, failure to `bad`. */
const oneCallback = (settings = '', queue = 'worker') => `states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: ${queue}}${settings}}]
    transitions:
      - {destination: good, condition: "callbacks['c'].result == 'success'"}
      - {destination: bad, condition: "callbacks['c'].result == 'failed'"}
  - {label: good}
  - {label: bad}
`;

const twoCallbacks = `states:
  - label: run
    callbacks: [{label: one, function: worker, callback_arguments: {queue: worker}, variable_map: {v: x}}, {label: two, function: worker, callback_arguments: {queue: worker}, variable_map: {w: /a/0, gone: /b}}]
    transitions:
      - {destination: good, condition: "callbacks['one'].result == 'success' && callbacks['two'].result == 'success'"}
  - {label: good}
`;

const statusOf = async (id: number) => (await server.call('getCallbackExecution', { params: { id } })).body.status;

describe('a report', () => {
  it.each([
    ['created', 'running', 200],
    ['queued', 'waiting', 200],
    ['queued', 'finished', 200],
    ['queued', 'skipped', 200],
    ['running', 'running', 200],
    ['running', 'queued', 409],
    ['waiting', 'running', 409],
    ['finished', 'waiting', 409],
  ])('of the status $1 for an execution with the status $0 returns $2', async (from, to, expected) => {
    const id = await world.experimentIn(
      oneCallback(`, wait_timeout: 5, initial_delay: ${from === 'created' ? 60 : 0}`),
    );
    const execution = await world.executionOf(id, 'c');
    if (from !== execution.status) await world.report(execution.id, { status: from });
    const answer = await world.report(execution.id, { status: to });
    expect(answer.status).toBe(expected);
    expect(await statusOf(execution.id)).toBe(expected === 200 ? to : from);
  });

  it('returns 400 for an unknown status', async () => {
    const { id } = await world.executionOf(await world.experimentIn(oneCallback()), 'c');
    expect((await world.report(id, { status: 'done' })).status).toBe(400);
  });
});

describe('the status of an execution', () => {
  it('is queued at first, or created during the initial delay', async () => {
    const [now, later] = [
      await world.experimentIn(oneCallback()),
      await world.experimentIn(oneCallback(', initial_delay: 60')),
    ];
    expect(await world.executionOf(now, 'c')).toMatchObject({ status: 'queued' });
    expect(await world.executionOf(later, 'c')).toMatchObject({ status: 'created' });
  });

  it.each([
    ['is met', '1 == 1', 'running', 'run'],
    ['is not met', '1 == 2', 'skipped', 'skipped'],
    ['cannot be evaluated', 'experiment.variables.x > 1', 'finished', 'failed'],
  ])('becomes $2 at the start if the condition $1 $0', async (_name, condition, status, state) => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: rule2}, condition: "${condition}"}]
    transitions:
      - {destination: skipped, condition: "callbacks['c'].status == 'skipped'"}
      - {destination: failed, condition: "callbacks['c'].result == 'failed'"}
  - {label: skipped}
  - {label: failed}
`);
    expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'queued' });
    expect(await world.claim('rule2')).toHaveLength(status === 'running' ? 1 : 0);
    expect(await world.executionOf(id, 'c')).toMatchObject({ status });
    expect(await world.stateOf(id)).toBe(state);
    if (status === 'finished') {
      const { id: execution } = await world.executionOf(id, 'c');
      const { body } = await server.call('getCallbackExecution', { params: { id: execution } });
      expect(body.run_log).toContain('Not started: ');
      const [row] = await server.sql<{ cause: string | null; grouped: boolean }>(
        'select cause, cause_key is not null as grouped from callback_executions where id = $1',
        [execution],
      );
      expect(row).toEqual({ cause: expect.stringContaining('experiment.variables.x'), grouped: true });
    }
  });
});

describe('a claim', () => {
  it('skips a callback whose condition is not met and starts the other callback of the state', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks:
      - {label: one, function: worker, callback_arguments: {queue: rule2s}, condition: "1 == 2"}
      - {label: two, function: worker, callback_arguments: {queue: rule2s}, condition: "1 == 1"}
`);
    expect(await world.claim('rule2s', { max: 2 })).toHaveLength(1);
    expect((await world.executionsOf(id)).map(({ status }) => status)).toEqual(['skipped', 'running']);
  });
});

describe('the status waiting', () => {
  it('is rejected with 409 if the callback has no wait_timeout', async () => {
    const { id } = await world.executionOf(await world.experimentIn(oneCallback()), 'c');
    expect(await world.report(id, { status: 'waiting' })).toMatchObject({
      status: 409,
      body: { code: 'status_conflict' },
    });
  });

  it('is skipped if the run itself reports that it has finished', async () => {
    const id = await world.experimentIn(oneCallback(', wait_timeout: 5', 'rule3'));
    const [claim] = await world.claim('rule3');
    expect(await world.reportWithSecret(claim, { status: 'finished', result: 'success' })).toMatchObject({
      status: 200,
    });
    expect(await world.stateOf(id)).toBe('good');
  });
});

describe('the end of an action', () => {
  it('follows the report of the last open execution, and the response shows the new state', async () => {
    const id = await world.experimentIn(twoCallbacks);
    const [one, two] = await world.executionsOf(id);
    const first = await world.finish(one?.id ?? 0, 'success', { x: 7 });
    expect(first.body.experiment.state.label).toBe('run');
    const second = await world.finish(two?.id ?? 0, 'success', { a: ['first'] });
    expect(second.body.experiment.state.label).toBe('good');
    expect(second.body.experiment.variable_map).toEqual({ v: 7, w: 'first', gone: null });
    const [, entered] = await world.actionsOf(id);
    expect(entered).toMatchObject({ sequence: 2, success: true, return_value: 'No callback for state' });
  });

  it('records for each transition whether its condition was met, not met or not evaluated', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}]
    transitions:
      - {destination: no, condition: "callbacks['c'].result == 'failed'"}
      - {destination: mine, by: person}
      - {destination: yes}
      - {destination: late}
  - {label: no}
  - {label: mine}
  - {label: 'yes'}
  - {label: late}
`);
    await world.finish((await world.executionOf(id, 'c')).id, 'success');
    expect(await world.stateOf(id)).toBe('yes');
    const [action] = await world.actionsOf(id);
    expect(action).toMatchObject({ success: true, ended: true });
    expect(JSON.parse(action?.return_value ?? '')).toMatchObject([
      { destination: 'no', condition: "callbacks['c'].result == 'failed'", test_result: false },
      { destination: 'mine', test_result: null },
      { destination: 'yes', test_result: true },
      { destination: 'late', test_result: null },
    ]);
  });

  it.each([
    ['failed', 'success', 'failed'],
    ['success', 'failed', 'failed'],
    ['success', 'skipped', 'no_way_on'],
  ])('keeps the state and opens the incident $2 if the callbacks end with $0 and $1', async (one, two, kind) => {
    const id = await world.experimentIn(twoCallbacks);
    for (const [callback, outcome] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const { id: execution } = await world.executionOf(id, callback);
      await world.report(
        execution,
        outcome === 'skipped' ? { status: 'skipped' } : { status: 'finished', result: outcome },
      );
    }
    expect(await world.stateOf(id)).toBe('run');
    expect(await world.actionsOf(id)).toMatchObject([{ ended: true, success: kind === 'no_way_on' }]);
    expect(await world.incidentsOf(id)).toEqual([{ kind, open: true }]);
  });

  it('moves the experiment automatically through states whose callbacks have finished', async () => {
    const id = await world.experimentIn(`states:
  - {label: a, callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}], transitions: [{destination: b}]}
  - {label: b, callbacks: [{label: d, function: worker, callback_arguments: {queue: worker}}], transitions: [{destination: e}]}
  - {label: e}
`);
    await world.finish((await world.executionOf(id, 'c')).id, 'success');
    expect(await world.stateOf(id)).toBe('b');
    await world.finish((await world.executionOf(id, 'd')).id, 'success');
    expect(await world.stateOf(id)).toBe('e');
  });
});

describe('the loop limit', () => {
  it('stops an experiment after 100 automatic moves in 10 minutes until a user acts (V2.3.2)', async () => {
    const id = await world.experimentIn(`initial: a
states:
  - {label: a, callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}], transitions: [{destination: b}]}
  - {label: b, callbacks: [{label: d, function: worker, callback_arguments: {queue: worker}}], transitions: [{destination: a}]}
`);
    const step = async () => {
      const open = (await world.executionsOf(id)).findLast(({ status }) => status === 'queued');
      await world.finish(open?.id ?? 0, 'success');
    };
    for (let moves = 0; moves < 100; moves++) await step();
    expect((await world.actionsOf(id)).length).toBe(101);
    await step();
    expect((await world.actionsOf(id)).length).toBe(101);
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'brake', open: true }]);

    const evaluated = await server.call('evaluateExperiment', { params: { id }, body: {} });
    expect(evaluated).toMatchObject({ status: 200, body: { moved: true, state: { label: 'b' } } });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'brake', open: false }]);
    await step();
    expect(await world.stateOf(id)).toBe('a');
  });

  it('counts only moves of the last 10 minutes', async () => {
    const id = await world.experimentIn(`initial: a
states:
  - {label: a, callbacks: [{label: c, function: worker, callback_arguments: {queue: worker}}], transitions: [{destination: a}]}
`);
    await server.sql(
      `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, actor_kind)
       select $1, n, (select transition_id from actions where experiment_id = $1), now() - interval '11 minutes', now(), 'engine'
       from generate_series(2, 150) n`,
      [id],
    );
    await server.sql('update experiments set action_sequence = 150 where id = $1', [id]);
    const [first] = await world.executionsOf(id);
    await server.sql(
      'update callback_executions set action_id = (select id from actions where experiment_id = $1 and sequence = 150) where id = $2',
      [id, first?.id],
    );
    await world.finish(first?.id ?? 0, 'success');
    expect((await world.actionsOf(id)).length).toBe(151);
  });
});

describe('variables', () => {
  it('are set by successful executions when the action ends, before transitions are evaluated', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks:
      - {label: one, function: worker, callback_arguments: {queue: worker}, variable_map: {v: x, same: x}}
      - {label: two, function: worker, callback_arguments: {queue: worker}, variable_map: {v: y}}
      - {label: three, function: worker, callback_arguments: {queue: worker}, variable_map: {same: z}}
    transitions: [{destination: done, condition: "experiment.variables['same'] == 3"}]
  - {label: done}
`);
    const [one, two, three] = await world.executionsOf(id);
    await world.finish(three?.id ?? 0, 'success', { z: 3 });
    expect(await world.variablesOf(id)).toEqual({});
    await world.finish(two?.id ?? 0, 'failed', { y: 2 });
    await world.finish(one?.id ?? 0, 'success', { x: 1 });
    // In definition order, not in the order in which the executions finished.
    expect(await world.variablesOf(id)).toEqual({ v: 1, same: 3 });
    expect(await world.stateOf(id)).toBe('done');
  });
});
