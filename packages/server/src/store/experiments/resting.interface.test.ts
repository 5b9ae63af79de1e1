/**
 * Experiments that rest: the mark always equals what the executions, incidents, subjects and states say.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { markResting } from './resting.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** As the rule is written, without the mark. */
const rule = `not exists (
    select from actions join callback_executions on action_id = actions.id
    where experiment_id = experiments.id and sequence = action_sequence and status not in ('finished', 'skipped'))
  and not exists (select from incidents where experiment_id = experiments.id and closed_at is null)
  and not exists (select from subjects where subjects.id = subject_id and withdrawn_at is not null)
  and exists (select from transitions where source_state_id = state_id and kind = 'defined' and not retired)`;

/** Whether the experiment rests. Throws if a mark of any experiment is wrong. */
async function rests(id: number): Promise<boolean> {
  const rows = await server.sql<{ id: number; marked: boolean; rests: boolean }>(
    `select id::int, coalesce(resting_sequence = action_sequence, false)
       and exists (select from transitions where source_state_id = state_id and kind = 'defined' and not retired) as marked,
       ${rule} as rests from experiments`,
  );
  expect(rows.filter((row) => row.marked !== row.rests)).toEqual([]);
  return rows.find((row) => row.id === id)?.rests ?? false;
}

const states = `initial: start
states:
  - {label: start, transitions: [{destination: run, by: person}, {destination: rest, by: person}, {destination: end, by: person}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: resting}}]
    transitions:
      - {destination: rest, condition: "callbacks['c'].result == 'success' && experiment.variables['go'] == true"}
      - {destination: start, by: person}
  - label: rest
    callbacks: [{label: d, function: worker, callback_arguments: {queue: resting}}]
    transitions: [{destination: start, by: person}, {destination: end, by: person}]
  - {label: end}
`;

const endRun = async (id: number, callback: string, result: 'success' | 'failed') =>
  world.finish((await world.executionOf(id, callback)).id, result);

describe('an experiment', () => {
  it('rests in a state without callbacks, from its creation and after a move or a correction', async () => {
    const id = await world.experimentIn(states);
    expect(await rests(id)).toBe(true);
    await world.move(id, 'rest');
    expect(await rests(id)).toBe(false);
    await world.move(id, 'start');
    expect(await rests(id)).toBe(true);
    const body = { state: 'run', reason: 'done by hand' };
    await server.call('placeExperiment', { params: { id }, body });
    expect(await rests(id)).toBe(true);
    await server.call('placeExperiment', { params: { id }, body: { ...body, run_callbacks: true } });
    expect(await rests(id)).toBe(false);
    await world.move(id, 'start');
    await world.move(id, 'end');
    expect(await rests(id)).toBe(false);
  });

  it('rests after its callbacks unless they failed, also when it is evaluated or retried again', async () => {
    const id = await world.experimentIn(states);
    await world.move(id, 'rest');
    await endRun(id, 'd', 'failed');
    expect(await rests(id)).toBe(false);
    await server.call('retryExperiment', { params: { id }, body: { reason: 'again' } });
    expect(await rests(id)).toBe(false);
    await endRun(id, 'd', 'success');
    expect(await rests(id)).toBe(true);
    const since = () => server.sql('select resting_since from experiments where id = $1', [id]);
    const before = await since();
    await server.call('evaluateExperiment', { params: { id }, body: { reason: 'look again' } });
    expect(await rests(id)).toBe(true);
    expect(await since()).toEqual(before);
  });

  it('does not rest with an incident or after the withdrawal of its subject', async () => {
    const id = await world.experimentIn(states);
    await world.move(id, 'run');
    await endRun(id, 'c', 'success');
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'no_way_on', open: true }]);
    expect(await rests(id)).toBe(false);
    await world.move(id, 'start');
    expect(await rests(id)).toBe(true);
    const { body } = await server.call('getExperiment', { params: { id } });
    const withdrawal = { reason: 'by letter', date: '2026-03-01' };
    await server.call('withdrawSubject', { params: { id: body.subject.id }, body: withdrawal });
    expect(await rests(id)).toBe(false);
  });

  it('rests or not after an import that moves it', async () => {
    const label = await world.importWorkflow(states);
    const ids = [await world.experimentOf(label), await world.experimentOf(label)];
    await world.move(ids[1] ?? 0, 'end');
    const next = 'initial: a\nstates: [{label: a, transitions: [{destination: b, by: person}]}, {label: b}]';
    const body = { workflow_definition: `label: ${label}\n${next}`, state_map: { start: 'b', end: 'a' } };
    expect((await server.call('importWorkflow', { body })).status).toBe(200);
    expect(await Promise.all(ids.map(rests))).toEqual([false, true]);
  });
});

const forget = () =>
  server.sql('update experiments set resting_sequence = null, resting_since = null, version = version + 1');

describe('markResting', () => {
  it('marks experiments from before there were marks, since the end of their action', async () => {
    const id = await world.experimentIn(states);
    const running = await world.experimentIn(states);
    await world.move(running, 'run');
    await forget();
    await markResting(server.database.db);
    expect([await rests(id), await rests(running)]).toEqual([true, false]);
    const [row] = await server.sql<{ close: boolean }>(
      `select resting_since between end_time and end_time + interval '10 ms' as close from experiments
       join actions on experiment_id = experiments.id where experiments.id = $1`,
      [id],
    );
    expect(row?.close).toBe(true);
  });

  it('marks experiments in a state that an import made one with transitions', async () => {
    const label = await world.importWorkflow(states);
    const id = await world.experimentOf(label);
    await world.move(id, 'end');
    expect(await rests(id)).toBe(false);
    await world.importWorkflow(
      states.replace('{label: end}', '{label: end, transitions: [{destination: start}]}'),
      label,
    );
    await expect.poll(() => rests(id).catch(() => false)).toBe(true);
  });

  it('removes the mark of an experiment whose subject withdrew under the previous release', async () => {
    const id = await world.experimentIn(states);
    await server.sql(
      'update subjects set withdrawn_at = now() where id = (select subject_id from experiments where id = $1)',
      [id],
    );
    await markResting(server.database.db);
    expect(await rests(id)).toBe(false);
  });

  it('removes the mark of an experiment with an open run or an open incident', async () => {
    const running = await world.experimentIn(states);
    await world.move(running, 'run');
    const failed = await world.experimentIn(states);
    await world.move(failed, 'rest');
    await endRun(failed, 'd', 'failed');
    await server.sql(
      `update experiments set resting_sequence = action_sequence, resting_since = now(), version = version + 1
       where id = any($1)`,
      [[running, failed]],
    );
    await markResting(server.database.db);
    expect([await rests(running), await rests(failed)]).toEqual([false, false]);
  });

  it('does not wait for an experiment that another transaction changes', async () => {
    const label = await world.importWorkflow(states);
    const [locked, free] = [await world.experimentOf(label), await world.experimentOf(label)];
    await forget();
    const isMarked = async (id: number) =>
      (await server.sql('select from experiments where id = $1 and resting_sequence = action_sequence', [id])).length;
    await server.database.db.transaction().execute(async (transaction) => {
      await sql`select from experiments where id = ${locked} for update`.execute(transaction);
      await markResting(server.database.db);
      expect([await isMarked(locked), await isMarked(free)]).toEqual([0, 1]);
    });
    await markResting(server.database.db);
    expect([await rests(locked), await rests(free)]).toEqual([true, true]);
  });
});

/** The previous release does not know the marks and leaves them as they are. */
async function moveByPreviousRelease(id: number, state: string): Promise<void> {
  const read = 'select resting_sequence, resting_since from experiments where id = $1';
  const [before] = await server.sql<{ resting_sequence: string; resting_since: Date }>(read, [id]);
  expect((await world.move(id, state)).status).toBe(200);
  await server.sql(
    'update experiments set resting_sequence = $2, resting_since = $3, version = version + 1 where id = $1',
    [id, before?.resting_sequence, before?.resting_since],
  );
}

const isDecision = async (id: number) => {
  const { body } = await server.call('getExperimentDecision', { params: { id } });
  return body.waiting as boolean;
};

describe('the mark of an experiment that the previous release moved', () => {
  it('does not count, whether the experiment rests or not, until it is corrected', async () => {
    const id = await world.experimentIn(states);
    expect(await isDecision(id)).toBe(true);
    await moveByPreviousRelease(id, 'rest');
    expect([await isDecision(id), await rests(id)]).toEqual([false, false]);
    await moveByPreviousRelease(id, 'start');
    expect(await isDecision(id)).toBe(false);
    await markResting(server.database.db);
    expect([await isDecision(id), await rests(id)]).toEqual([true, true]);
    const [row] = await server.sql<{ own: boolean }>(
      `select resting_since >= start_time as own from experiments
       join actions on experiment_id = experiments.id and sequence = action_sequence where experiments.id = $1`,
      [id],
    );
    expect(row?.own).toBe(true);
  });
});
