/**
 * Bulk operations: the dry run, the changes and their records.
 *
 * @module-tag sql
 */
import type { BulkKind } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { runBulkOperations, runSet } from './run-bulk-operations.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(`initial: start
states:
  - label: start
    transitions:
      - {destination: checked, condition: "experiment.variables['usable'] == true", by: person}
      - {destination: other, by: person}
  - label: other
    transitions: [{destination: start, by: person}]
  - {label: checked}
`);
});
afterAll(() => server.stop());

const context = () => engineContext(server, 'runBulkOperations');
const work = () => runBulkOperations(context());

const create = (kind: BulkKind, body: object, as?: string) =>
  server.call('createBulkOperation', { body: { kind, ...body }, ...(as !== undefined && { as }) });

/** Creates an operation without a dry run, and lets a worker do everything. */
async function run(kind: BulkKind, ids: readonly number[], body: object = {}) {
  const { status, body: made } = await create(kind, { experiment_ids: ids, reason: 'because', rate: 100_000, ...body });
  expect([status, made.detail]).toEqual([201, undefined]);
  await work();
  return read(made.id);
}

const read = async (id: number) => (await server.call('getBulkOperation', { params: { id } })).body;
const itemsOf = async (id: number, query: object = {}) =>
  (await server.call('listBulkItems', { params: { id }, query: query as never })).body.items;
const some = async (count: number) => {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await world.experimentOf(workflow));
  return ids;
};
const setUsable = (id: number) =>
  server.call('setExperimentVariable', { params: { id, name: 'usable' }, body: { value: true } });
const versionOf = async (id: number) =>
  (await server.sql<{ version: number }>('select version::int from experiments where id = $1', [id]))[0]?.version;

describe('a dry run', () => {
  it('counts what would succeed, groups the refusals, and changes nothing', async () => {
    const ids = await some(4);
    await setUsable(ids[0] ?? 0);
    const versions = await Promise.all(ids.map(versionOf));
    const { body } = await create('move', { experiment_ids: [...ids, 9_999_999], state: 'checked', dry_run: true });
    expect(body).toMatchObject({ status: 'checking', experiments: 0, reason: '' });
    await work();
    const checked = await read(body.id);
    expect(checked).toMatchObject({ status: 'checked', experiments: 5, ready: 1, refused: 4, done: 0 });
    expect(checked.refusals).toMatchObject([
      {
        code: 'condition_not_met',
        detail: "The condition is not met: experiment.variables['usable'] == true",
        experiments: 3,
      },
      { code: 'not_found', experiments: 1 },
    ]);
    expect(await Promise.all(ids.map(versionOf))).toEqual(versions);
    const refused = await itemsOf(body.id, { refusal: checked.refusals[0].number });
    expect(refused.map((item: { experiment_id: number }) => item.experiment_id)).toEqual(ids.slice(1));
    expect(await itemsOf(body.id, { result: 'ready' })).toMatchObject([{ experiment: { id: ids[0] }, code: null }]);
  });

  it('is applied to exactly its experiments, with a reason', async () => {
    const ids = await some(2);
    const { body } = await create('move', { query: `id:${ids.join(',')}`, state: 'other', dry_run: true });
    const early = await server.call('applyBulkOperation', { params: { id: body.id }, body: { reason: 'x' } });
    expect(early).toMatchObject({ status: 409, body: { code: 'status_conflict' } });
    await work();
    await server.call('applyBulkOperation', { params: { id: body.id }, body: { reason: 'Scanned again' } });
    await work();
    expect(await read(body.id)).toMatchObject({ status: 'finished', done: 2, ready: 0, reason: 'Scanned again' });
    expect(await Promise.all(ids.map(world.stateOf))).toEqual(['other', 'other']);
  });

  it('refuses experiments that changed afterwards, each on its own', async () => {
    const [first = 0, second = 0, third = 0] = await some(3);
    const { body } = await create('move', { experiment_ids: [first, second, third], state: 'other', dry_run: true });
    await work();
    await world.move(second, 'other');
    await world.move(second, 'start');
    await server.call('applyBulkOperation', { params: { id: body.id }, body: { reason: 'x' } });
    await work();
    const done = await read(body.id);
    expect(done).toMatchObject({ status: 'finished', done: 2, refused: 1 });
    expect(done.refusals).toMatchObject([{ code: 'experiment_changed', experiments: 1 }]);
    expect(await world.stateOf(second)).toBe('start');
    expect(await world.actionsOf(second)).toHaveLength(3);
  });
});

describe('a move', () => {
  it('gives each experiment its own action, history and event, like a single move', async () => {
    const [single = 0, bulk = 0] = await some(2);
    await world.move(single, 'other', { freetext: 'because' });
    const { id } = await run('move', [bulk], { state: 'other' });
    const traces = async (experiment: number) => ({
      actions: await server.sql(
        `select transition_id, freetext, success, actor_kind, actor_id, end_time is not null as ended, return_value from actions
         where experiment_id = $1 order by sequence`,
        [experiment],
      ),
      history: await server.sql(
        `select operation, actor_kind, actor_id, history.before as public_before, history.after - '{action_id,bulk_operation_id}'::text[] as public_after,
           history_values.before, history_values.after, history_values.reason
         from history left join history_values on history_values.history_id = history.id
         where chain = 'experiment' and chain_id = $1 order by sequence offset 1`,
        [experiment],
      ),
      events: await server.sql(
        `select kind, data - 'action_id' - 'bulk_operation_id' as data from events
         where object_kind = 'experiment' and object_id = $1 order by id offset 1`,
        [experiment],
      ),
    });
    expect(await traces(bulk)).toEqual(await traces(single));
    const [event] = await server.sql<{ data: object }>(
      `select data from events where object_id = $1 and kind = 'setExperimentState'`,
      [bulk],
    );
    expect(event?.data).toMatchObject({ bulk_operation_id: id });
  });

  it('queues its runs behind those of single moves', async () => {
    const pulled = await world.importWorkflow(`states:
  - {label: start, transitions: [{destination: run, by: person}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: behind}}]
`);
    const [bulk, single] = [await world.experimentOf(pulled), await world.experimentOf(pulled)];
    await run('move', [bulk], { state: 'run' });
    await world.move(single, 'run');
    const order = [];
    for (let n = 0; n < 2; n++) order.push((await world.claim('behind'))[0]?.experiment?.id);
    expect(order).toEqual([single, bulk]);
  });
});

describe('other kinds', () => {
  it('retry starts a new run of what failed, and refuses what runs or succeeded', async () => {
    const pulled = await world.importWorkflow(pulledWorkflow('retried'));
    const [failed, running, good] = [
      await world.experimentOf(pulled),
      await world.experimentOf(pulled),
      await world.experimentOf(pulled),
    ];
    await world.finish((await world.executionOf(failed, 'c')).id, 'failed');
    await world.finish((await world.executionOf(good, 'c')).id, 'success');
    const done = await run('retry', [failed, running, good]);
    expect(done).toMatchObject({ status: 'finished', done: 1, refused: 2 });
    expect(done.refusals).toMatchObject([
      { code: 'action_open', detail: 'A run of c has not finished.' },
      { code: 'nothing_to_retry' },
    ]);
    expect(await world.executionsOf(failed)).toMatchObject([{ status: 'finished' }, { status: 'queued' }]);
    expect(await world.incidentsOf(failed)).toMatchObject([{ kind: 'failed', open: false }]);
  });

  it('evaluate takes a transition whose condition is met now', async () => {
    const label = await world.importWorkflow(`states:
  - label: wait
    transitions: [{destination: ready, condition: "experiment.variables['usable'] == true", by: engine}]
  - {label: ready}
`);
    const ids = [await world.experimentOf(label), await world.experimentOf(label)];
    await setUsable(ids[1] ?? 0);
    expect(await run('evaluate', ids)).toMatchObject({ done: 2, refused: 0 });
    expect(await Promise.all(ids.map(world.stateOf))).toEqual(['wait', 'ready']);
  });

  it('place corrects the state from several states, and refuses a state that does not exist', async () => {
    const ids = await some(2);
    await world.move(ids[0] ?? 0, 'other');
    expect(await run('place', ids, { state: 'checked' })).toMatchObject({ done: 2 });
    expect(await Promise.all(ids.map(world.stateOf))).toEqual(['checked', 'checked']);
    const refused = await run('place', ids, { state: 'nowhere' });
    expect(refused).toMatchObject({ status: 'finished', done: 0, refused: 2, refusals: [{ code: 'not_found' }] });
  });

  it('set_variables sets them, and events do not have the values', async () => {
    const ids = await some(2);
    await setUsable(ids[0] ?? 0);
    const { id } = await run('set_variables', ids, { variables: { usable: 'Mrs Jansen', score: 3 } });
    expect(await Promise.all(ids.map(world.variablesOf))).toEqual([
      { usable: 'Mrs Jansen', score: 3 },
      { usable: 'Mrs Jansen', score: 3 },
    ]);
    const events = await server.sql(`select data::text from events where data ->> 'bulk_operation_id' = $1`, [
      String(id),
    ]);
    expect(events).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain('Jansen');
    const [entry] = await server.sql<{ before: object; after: object }>(
      `select history_values.before, history_values.after from history join history_values on history_id = history.id
       where chain = 'experiment' and chain_id = $1 order by sequence desc limit 1`,
      [ids[0]],
    );
    expect(entry).toMatchObject({ before: { variables: { usable: true } }, after: { variables: { score: 3 } } });
  });

  it('assign and note do not depend on changes since the check', async () => {
    const [moved = 0, kept = 0] = await some(2);
    const [{ id: me = 0 } = {}] = await server.sql<{ id?: number }>(
      `select id::int from users where username = 'admin'`,
    );
    const ids = { experiment_ids: [moved, kept], dry_run: true };
    const [assign, note] = [
      (await create('assign', { ...ids, user_id: me })).body,
      (await create('note', { ...ids, text: 'Seen' })).body,
    ];
    await work();
    await world.move(moved, 'other');
    for (const { id } of [assign, note]) {
      await server.call('applyBulkOperation', { params: { id }, body: { reason: 'x' } });
    }
    await work();
    expect(await read(assign.id)).toMatchObject({ status: 'finished', done: 2 });
    expect(await read(note.id)).toMatchObject({ status: 'finished', done: 2 });
    const rows = await server.sql(
      `select experiment_id::int, assignee_id::int, text, user_id::int from follow_ups join notes using (experiment_id)
       where experiment_id = any($1) order by experiment_id`,
      [[moved, kept]],
    );
    expect(rows).toEqual(
      [moved, kept].map((id) => ({ experiment_id: id, assignee_id: me, text: 'Seen', user_id: me })),
    );
  });
});

describe('a set', () => {
  it('leaves out an experiment that another transaction has locked, and changes it later', async () => {
    const ids = await some(3);
    const { body } = await create('move', { experiment_ids: ids, state: 'other', dry_run: true });
    await work();
    await server.call('applyBulkOperation', { params: { id: body.id }, body: { reason: 'x', rate: 100_000 } });
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from experiments where id = $1 for update', [ids[1]]);
      await runSet(context());
      expect(await read(body.id)).toMatchObject({ status: 'running', done: 2, ready: 1, refused: 0 });
      await client.query('rollback');
    });
    await work();
    expect(await read(body.id)).toMatchObject({ status: 'finished', done: 3 });
    for (const id of ids) expect(await world.actionsOf(id)).toHaveLength(2);
  });

  it('does not let the others wait for an experiment that is locked', async () => {
    const ids = await some(3);
    const { body } = await create('move', { experiment_ids: ids, state: 'other', reason: 'x', rate: 1 });
    const runDue = async () => {
      await server.sql('update bulk_operations set next_at = now() where id = $1', [body.id]);
      await runSet(context());
    };
    await runDue();
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from experiments where id = $1 for update', [ids[0]]);
      for (let n = 0; n < 3; n++) await runDue();
      expect(await Promise.all(ids.map(world.stateOf))).toEqual(['start', 'other', 'other']);
      await client.query('rollback');
    });
    for (let n = 0; n < 2; n++) await runDue();
    expect(await read(body.id)).toMatchObject({ status: 'finished', done: 3 });
  });

  it('is refused for a withdrawn subject', async () => {
    const [id = 0, other = 0] = await some(2);
    const subject = (await server.call('getExperiment', { params: { id } })).body.subject;
    await server.call('withdrawSubject', { params: { id: subject.id }, body: { reason: 'x', date: '2026-03-01' } });
    for (const [kind, body] of [
      ['move', { state: 'other' }],
      ['set_variables', { variables: { a: 1 } }],
      ['note', { text: 'x' }],
    ] as const) {
      const done = await run(kind, [id, other], body);
      expect([kind, done.done, done.refusals]).toMatchObject([kind, 1, [{ code: 'subject_withdrawn' }]]);
    }
  });
});
