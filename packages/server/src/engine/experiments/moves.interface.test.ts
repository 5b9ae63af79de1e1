/**
 * The rules of moves (docs/decisions/0007), tested over HTTP.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

/** Imports a workflow with these states and creates an experiment in it. */
async function experimentIn(states: string) {
  const label = world.fresh('workflow');
  const imported = await server.call('importWorkflow', { body: { workflow_definition: `label: ${label}\n${states}` } });
  expect(imported).toMatchObject({ status: 201 });
  const { id: subjectId } = await world.subject();
  const body = { label: world.fresh('experiment'), subject_id: subjectId, workflow_label: label };
  const { body: experiment } = await server.call('createExperiment', { body });
  return { id: experiment.id as number, state: experiment.state.label as string, workflow: label };
}

const move = (id: number, state: string, more: object = {}) =>
  server.call('setExperimentState', { params: { id }, body: { state_label: state, ...more } });

/** Retries on 503, which a slow machine returns. The idempotency key covers a move that was committed without a response. */
async function moveWithRetries(id: number, state: string) {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    const answer = await server.call('setExperimentState', { params: { id }, headers, body: { state_label: state } });
    if (answer.status !== 503) return answer;
    await pause(100);
  }
}

const actionsOf = (id: number) =>
  server.sql<{
    id: string;
    sequence: string;
    success: boolean;
    ended: boolean;
    return_value: string;
    transition_id: string;
  }>(
    `select id, sequence, success, end_time is not null as ended, return_value, transition_id
     from actions where experiment_id = $1 order by sequence`,
    [id],
  );

const executionsOf = (id: number) =>
  server.sql<{ sequence: string; label: string; status: string; version: number }>(
    `select actions.sequence, callbacks.label, status, callback_version as version from callback_executions
     join actions on actions.id = action_id join callbacks on callbacks.id = callback_id
     where experiment_id = $1 order by callback_executions.id`,
    [id],
  );

const line = `states:
  - {label: a, transitions: [{destination: b}]}
  - label: b
    callbacks:
      - {label: first, function: worker, callback_arguments: {queue: worker}}
      - {label: later, function: worker, callback_arguments: {queue: worker}, initial_delay: 60}
    transitions: [{destination: c}]
  - {label: c}
`;

describe('a move', () => {
  it('writes the action, the state, a history entry and an event', async () => {
    const { id } = await experimentIn(line);
    const { status, body } = await move(id, 'b', { freetext: 'go' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, state: { label: 'b' } });
    expect(await actionsOf(id)).toMatchObject([{ sequence: '1' }, { sequence: '2', ended: false }]);
    const recorded = await server.sql(
      `select operation, before, after ->> 'state' as after, reason from history_with_values where object_kind = 'experiment' and object_id = $1 order by id`,
      [id],
    );
    expect(recorded).toEqual([
      { operation: 'createExperiment', before: null, after: 'a', reason: '' },
      { operation: 'setExperimentState', before: { state: 'a' }, after: 'b', reason: 'go' },
    ]);
    const events = await server.sql(
      `select kind from events where object_kind = 'experiment' and object_id = $1 order by id`,
      [id],
    );
    expect(events).toEqual([{ kind: 'createExperiment' }, { kind: 'setExperimentState' }]);
  });

  it('changes nothing if it is rejected (V2.3.1)', async () => {
    const { id } = await experimentIn(line);
    const before = await server.sql('select * from experiments where id = $1', [id]);
    expect((await move(id, 'c')).status).toBe(409);
    expect(await server.sql('select * from experiments where id = $1', [id])).toEqual(before);
    expect(await actionsOf(id)).toHaveLength(1);
  });
});

describe('new executions', () => {
  it('have the status queued, or the status created during their initial delay', async () => {
    const { id } = await experimentIn(line);
    await move(id, 'b');
    expect(await executionsOf(id)).toEqual([
      { sequence: '2', label: 'first', status: 'queued', version: 1 },
      { sequence: '2', label: 'later', status: 'created', version: 1 },
    ]);
  });
});

describe('a state without callbacks', () => {
  it('ends its action immediately, and the engine does not move the experiment', async () => {
    const { id, state } = await experimentIn(line);
    expect(state).toBe('a');
    expect(await actionsOf(id)).toMatchObject([{ success: true, ended: true, return_value: 'No callback for state' }]);
  });
});

describe('a rejected move', () => {
  it('lists the open executions, and each transition with the values in its condition', async () => {
    const { id } = await experimentIn(`states:
  - label: a
    callbacks: [{label: check, function: worker, callback_arguments: {queue: worker}}]
    transitions:
      - {destination: b, condition: "experiment.variables['usable'] == true"}
      - {destination: c, by: engine}
  - {label: b}
  - {label: c}
`);
    const { status, body } = await move(id, 'b');
    expect(status).toBe(409);
    expect(body).toMatchObject({ success: false, state: { label: 'a' }, error: { code: 'condition_not_met' } });
    const [first, second] = body.error.transitions;
    expect(first).toMatchObject({ destination_state: { label: 'b' }, allowed: false, by: 'both' });
    expect(first.condition_parts).toContainEqual({
      text: "experiment.variables['usable']",
      value: null,
      error: null,
    });
    expect(first.reason).toContain("experiment.variables['usable']");
    expect(second).toMatchObject({ destination_state: { label: 'c' }, allowed: false, by: 'engine' });
    expect(body.error.open_executions).toMatchObject([{ callback: 'check', status: 'queued' }]);
    const explained = await server.call('getExperimentTransitions', { params: { id } });
    expect(explained.body.transitions).toEqual(body.error.transitions);
    expect(explained.body.open_executions).toEqual(body.error.open_executions);
  });
});

describe("Study Governor's fields in a rejected move", () => {
  const states = `initial: a
states:
  - {label: a, transitions: [{destination: b, condition: "experiment.variables['usable'] == true"}]}
  - {label: b}
  - {label: c}
`;
  it.each([
    ['c', {}, 'NoValidTransitionError'],
    ['b', {}, 'ConditionNotMetError'],
    ['b', { expected_state: 'c' }, 'StateChangeError'],
  ])('name both states (move to %s with %j)', async (requested_state, more, errorclass) => {
    const { id, workflow } = await experimentIn(states);
    const { error, state } = (await move(id, requested_state, more)).body;
    const path = { workflow_label: workflow, state_label: requested_state };
    const { body: target } = await server.call('getWorkflowState', { params: path });
    const expected = { errorclass, requested_state, sourcestate: state.uri, targetstate: target.uri };
    expect(error).toMatchObject({ ...expected, message: error.detail });
  });

  it('name no target state if it does not exist', async () => {
    const { id } = await experimentIn(states);
    const { error, state } = (await move(id, 'nowhere')).body;
    const expected = { errorclass: 'StateNotFoundError', requested_state: 'nowhere', sourcestate: state.uri };
    expect(error).toMatchObject({ ...expected, message: error.detail });
    expect(error).not.toHaveProperty('targetstate');
  });
});

describe('the initial state', () => {
  it('is the state that the file names, and its entry transition is readable but not listed', async () => {
    const { id, state } = await experimentIn(`initial: b\n${line.replace('{destination: c}', '{destination: a}')}`);
    expect(state).toBe('b');
    const [action] = await actionsOf(id);
    const entry = Number(action?.transition_id);
    const { body } = await server.call('getTransition', { params: { id: entry } });
    expect([body.source_state.label, body.destination_state.label]).toEqual(['b', 'b']);
    const listed = await server.call('listTransitions', { query: { after: entry - 1, limit: 1 } });
    expect(listed.body.transitions.map((transition: { id: number }) => transition.id)).not.toContain(entry);
  });
});

describe('a move by a user', () => {
  const states = `states:
  - label: a
    transitions:
      - {destination: b, by: engine}
      - {destination: c, by: person}
      - {destination: d, condition: "cohort.label == 'nowhere'"}
      - {destination: d, condition: "experiment.state == 'a'"}
  - {label: b}
  - {label: c}
  - {label: d}
`;
  it.each([
    ['along a transition for the engine', 'b', 409, 'no_transition'],
    ['along a transition for users', 'c', 200, undefined],
    ['along the second of two transitions', 'd', 200, undefined],
    ['without a transition', 'a', 409, 'no_transition'],
    ['to an unknown state', 'nowhere', 404, 'state_not_found'],
  ])('$0 returns $2', async (_what, state, status, code) => {
    const { id } = await experimentIn(states);
    const answer = await move(id, state);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });
});

describe('a move while executions are open', () => {
  it('skips executions that have not started, lets the running ones continue, and ends their action as superseded', async () => {
    const { id } = await experimentIn(line);
    await move(id, 'b');
    await server.sql(
      `update callback_executions set status = 'running', run_start = clock_timestamp(), attempt = 1
       where id = (select min(callback_executions.id) from callback_executions join actions on actions.id = action_id where experiment_id = $1)`,
      [id],
    );
    expect((await move(id, 'c')).status).toBe(200);
    expect(await executionsOf(id)).toMatchObject([{ status: 'running' }, { status: 'skipped' }]);
    const [, left, latest] = await actionsOf(id);
    expect(left).toMatchObject({ success: false, ended: true });
    expect(JSON.parse(left?.return_value ?? '')).toEqual({ superseded_by: Number(latest?.id) });
  });
});

describe('expected_state', () => {
  it('rejects a move from another state and accepts one from the expected state', async () => {
    const { id } = await experimentIn(line);
    const rejected = await move(id, 'b', { expected_state: 'c' });
    expect([rejected.status, rejected.body.error.code]).toEqual([409, 'experiment_changed']);
    expect((await move(id, 'b', { expected_state: 'a' })).status).toBe(200);
  });
});

describe('concurrent moves', () => {
  const fork = `states:
  - {label: a, transitions: [{destination: b}, {destination: c}]}
  - {label: b}
  - {label: c}
`;
  const expectOneWinner = async (rounds: number) => {
    const { workflow } = await experimentIn(fork);
    for (let round = 0; round < rounds; round++) {
      const { id: subjectId } = await world.subject();
      const created = await server.call('createExperiment', {
        body: { label: 'e', subject_id: subjectId, workflow_label: workflow },
      });
      const id = created.body.id as number;
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, client) => moveWithRetries(id, client % 2 === 0 ? 'b' : 'c')),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
      expect((await actionsOf(id)).map(({ sequence }) => sequence)).toEqual(['1', '2']);
      const { body } = await server.call('getExperimentState', { params: { id } });
      expect(body.state).toEqual(winners[0]?.body.state);
    }
  };

  it('by 50 clients to two states have one winner in each of 10 rounds, without gaps between actions (V2.3.4)', () =>
    expectOneWinner(10));

  it('have one winner in each of 100 rounds', { tags: ['nightly'] }, () => expectOneWinner(100));
});

it('the state counts are correct after all moves', async () => {
  expect(await wrongCounts(server.sql)).toEqual([]);
});
