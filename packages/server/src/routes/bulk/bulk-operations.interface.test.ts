/**
 * Who sees and controls a bulk operation, what it refuses, and its limits.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSet } from '../../engine/bulk/run-bulk-operations.ts';
import { createBulkWorld, type BulkWorld } from '../../../testing/bulk-world.ts';
import { engineContext } from '../../../testing/engine-context.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';

let server: TestServer;
let world: BulkWorld;
beforeAll(async () => {
  server = await startTestServer({ settings: { MILEPOST_BULK_PER_SECOND: '2' } });
  world = await createBulkWorld(server);
});
afterAll(() => server.stop());

const controls = ['pauseBulkOperation', 'resumeBulkOperation', 'stopBulkOperation'] as const;
const control = (name: (typeof controls)[number], id: number, as: string) => server.call(name, { params: { id }, as });

const listedFor = async (as: string) =>
  (await server.call('listBulkOperations', { as })).body.bulk_operations.map(({ id }: { id: number }) => id);

/** Only the number of rows matters. With triggers, each row would also be searched in the tables that can refer to it. */
const withoutTriggers = (statement: string, values: unknown[]) =>
  withClient(server.testDatabase.superuserUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(statement, values);
  });

const numbersOf = (items: { experiment_id: number }[]) => items.map((item) => item.experiment_id);

describe('a user who is not the author', () => {
  it('cannot apply, pause or resume an operation, even as an administrator, who can only stop it', async () => {
    const cohort = await world.cohortWith(1);
    const ann = await world.userIn({ superuser: [cohort] });
    const id = await world.checkedMove(cohort.ids, ann.as);
    expect(await world.apply(id)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    const ben = await world.userIn({ superuser: [cohort] });
    for (const name of controls) expect((await control(name, id, ben.username)).status).toBe(403);
    for (const name of controls.slice(0, 2)) expect((await control(name, id, 'admin')).status).toBe(403);
    expect(await world.read(id)).toMatchObject({ status: 'checked', reason: '' });
    expect((await world.apply(id, ann.as)).body.status).toBe('running');
    const statuses = [];
    for (const name of controls) statuses.push((await control(name, id, ann.username)).body.status);
    expect(statuses).toEqual(['paused', 'running', 'stopped']);
    const other = await world.checkedMove(cohort.ids, ann.as);
    expect((await control('stopBulkOperation', other, 'admin')).body.status).toBe('stopped');
  });

  it('sees an operation only if they can read all its experiments', async () => {
    const [one, two] = [await world.cohortWith(1), await world.cohortWith(1)];
    const [both, onlyOne] = [await world.checkedMove([...one.ids, ...two.ids]), await world.checkedMove(one.ids)];
    const [ben, cleo] = [await world.userIn({ user: [one, two] }), await world.userIn({ user: [one] })];
    expect([await listedFor(ben.username), await listedFor(cleo.username)]).toEqual([[onlyOne, both], [onlyOne]]);
    expect(await world.read(both, ben.username)).toMatchObject({ id: both, experiments: 2 });
    expect(numbersOf(await world.itemsOf(both, ben.as))).toEqual([...one.ids, ...two.ids]);
    for (const name of ['getBulkOperation', 'listBulkItems', ...controls] as const)
      expect((await server.call(name, { params: { id: both }, ...cleo.as })).status).toBe(404);
    expect((await world.apply(both, cleo.as)).status).toBe(404);
    const repeat = await world.create('retry', { refused_of: both, dry_run: true }, { as: cleo.username });
    expect(repeat.status).toBe(403);
  });

  it('does not see an operation before it was checked, or if it found no experiment', async () => {
    const cohort = await world.cohortWith(1);
    const [ann, ben] = [await world.userIn({ superuser: [cohort] }), await world.userIn({ user: [cohort] })];
    const made = await world.create('note', { text: 'x', query: 'label:"Mrs Jansen"', dry_run: true }, ann.as);
    expect(await listedFor(ben.username)).toEqual([]);
    await world.work();
    expect(await world.read(made.body.id, ann.username)).toMatchObject({ status: 'checked', experiments: 0 });
    expect(await listedFor(ben.username)).toEqual([]);
    expect((await server.call('getBulkOperation', { params: { id: made.body.id }, ...ben.as })).status).toBe(404);
  });
});

describe('the author', () => {
  it('sees only the experiments of cohorts that they can still read', async () => {
    const [one, two] = [await world.cohortWith(1), await world.cohortWith(1)];
    const ann = await world.userIn({ superuser: [one, two] });
    const id = await world.checkedMove([...one.ids, ...two.ids], ann.as);
    await world.revoke(ann.username, 'superuser', two);
    expect(numbersOf(await world.itemsOf(id, ann.as))).toEqual(one.ids);
  });

  it('gets the same refusal for experiments of other cohorts as for ids that do not exist', async () => {
    const [own, foreign] = [await world.cohortWith(1), await world.cohortWith(1)];
    const ann = await world.userIn({ superuser: [own] });
    const id = await world.checkedMove([...own.ids, ...foreign.ids, 9_999_999], ann.as);
    const { refusals, ready, refused } = await world.read(id, ann.username);
    expect({ ready, refused, refusals }).toEqual({
      ready: 1,
      refused: 2,
      refusals: [{ number: 1, code: 'not_found', detail: 'No experiment has this id.', experiments: 2 }],
    });
    const [, theirs, unknown] = await world.itemsOf(id, ann.as);
    expect({ ...theirs, number: 0, experiment_id: 0 }).toEqual({ ...unknown, number: 0, experiment_id: 0 });
    await world.apply(id, ann.as);
    await world.work();
    expect(await world.statesOf([...own.ids, ...foreign.ids])).toEqual(['other', 'start']);
  });

  it('gets not_allowed in the check for experiments that they can read but not change', async () => {
    const [own, readable] = [await world.cohortWith(1), await world.cohortWith(2)];
    const ann = await world.userIn({ superuser: [own], user: [readable] });
    const id = await world.checkedMove([...own.ids, ...readable.ids], ann.as);
    const { ready, refusals } = await world.read(id, ann.username);
    const detail = 'The author does not have the permission `sample_state_update` in the cohort.';
    expect({ ready, refusals }).toEqual({
      ready: 1,
      refusals: [{ number: 1, code: 'not_allowed', detail, experiments: 2 }],
    });
  });

  it('needs the permission of the kind in some cohort', async () => {
    const cohort = await world.cohortWith(1);
    const ben = await world.userIn({ user: [cohort] });
    const body = { state: 'other', experiment_ids: cohort.ids, dry_run: true };
    const move = await world.create('move', body, ben.as);
    expect(move).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    const ann = await world.userIn({ superuser: [cohort] });
    expect((await world.create('place', body, ann.as)).body.detail).toBe('You need the permission `state_override`.');
  });

  it('creates and applies one operation if requests are repeated with their keys, and gets its URI', async () => {
    const cohort = await world.cohortWith(1);
    const ann = await world.userIn({ superuser: [cohort] });
    const keyed = () => ({ ...ann.as, headers: { 'idempotency-key': randomUUID() } });
    const [creation, application] = [keyed(), keyed()];
    const body = { state: 'other', experiment_ids: cohort.ids, dry_run: true };
    const create = () => world.create('move', body, creation);
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [first, repeated] = answers.toSorted(
      (a, b) => Number(a.headers.has('location')) - Number(b.headers.has('location')),
    );
    const { id, uri } = first?.body ?? {};
    expect(repeated?.body).toEqual({ uri });
    expect(await listedFor(ann.username)).toEqual([id]);
    await world.work();
    expect((await world.apply(id, application)).body.status).toBe('running');
    expect(await world.apply(id, application)).toMatchObject({ status: 200, body: { uri } });
    expect((await world.apply(id, application, { rate: 1 })).body.code).toBe('key_reused');
    const stored = await server.sql(`select distinct body from idempotency_keys where location = '${uri}'`);
    expect(stored).toEqual([{ body: null }]);
    await world.work();
    expect((await world.read(id, ann.username)).done).toBe(1);
  });

  it('can have 20 operations that have not ended, however many requests arrive at once', async () => {
    const cohort = await world.cohortWith(0);
    const ann = await world.userIn({ superuser: [cohort] });
    const create = () => world.create('retry', { query: '', dry_run: true }, ann.as);
    const answers = await Promise.all(Array.from({ length: 24 }, create));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('too_many_bulk_operations');
    await control('stopBulkOperation', made[0]?.body.id, ann.username);
    expect((await create()).status).toBe(201);
    await server.sql(`update bulk_operations set status = 'stopped', ended_at = now() where ended_at is null`);
  });
});

describe('the check', () => {
  it.each(['state:nowhere incident:any', 'stat:done', 'in-state>3', '"open'])(
    'is rejected for the query %s with the errors of a search',
    async (query) => {
      const { status, body } = await world.create('retry', { query, dry_run: true });
      const search = await server.call('searchExperiments', { query: { q: query } });
      const expected = search.body.errors.map((fault: object) => ({ ...fault, pointer: '/query' }));
      expect([status, body.code, body.errors]).toEqual([400, 'invalid_request', expected]);
      expect(body.errors[0].column).toBeGreaterThan(0);
    },
  );

  it('chooses the refused experiments of another operation, and no others', async () => {
    const cohort = await world.cohortWith(3);
    const [first = 0, second = 0] = cohort.ids;
    for (const id of [first, second]) await world.move(id, 'other');
    const refused = await world.checkedMove(cohort.ids);
    expect(await world.read(refused)).toMatchObject({ ready: 1, refused: 2 });
    await world.move(first, 'start');
    const { body } = await world.create('move', { state: 'other', refused_of: refused, dry_run: true });
    await world.work();
    const repeated = (await world.itemsOf(body.id)).map((item: { experiment_id: number; result: string }) => [
      item.experiment_id,
      item.result,
    ]);
    expect(repeated).toEqual([
      [first, 'ready'],
      [second, 'refused'],
    ]);
    expect(body.refused_of).toBe(refused);
  });

  it('takes few statements for a set, also if the worker has not read the workflow yet', async () => {
    const { ids } = await world.cohortWith(40);
    const { body } = await world.create('move', { state: 'other', experiment_ids: ids, dry_run: true });
    const statements = await statementsDuring(() => runSet(engineContext(server, 'runBulkOperations')), /./);
    expect(statements.length).toBeLessThan(25);
    expect(await world.read(body.id)).toMatchObject({ status: 'checked', experiments: 40, ready: 40 });
  });

  it('stops at more than 200,000 experiments', async () => {
    const cohort = await world.cohortWith(1);
    await withoutTriggers(
      `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
       select subject_id, cohort_id, workflow_id, state_id, 'many ' || n, 1 from experiments, generate_series(1, 200000) n where id = $1`,
      [cohort.ids[0]],
    );
    const ann = await world.userIn({ superuser: [cohort] });
    const { body } = await world.create('retry', { query: '', dry_run: true }, ann.as);
    await world.work();
    expect(await world.read(body.id, ann.username)).toMatchObject({
      status: 'stopped',
      stopped_because: 'The query finds more than 200,000 experiments. Narrow it.',
      ready: 0,
    });
    await withoutTriggers(`delete from experiments where label like 'many %' and cohort_id = $1`, [cohort.id]);
  });
});

describe('the rate', () => {
  it('is at most MILEPOST_BULK_PER_SECOND, and sets are smaller and farther apart', async () => {
    const { ids } = await world.cohortWith(3);
    const id = await world.checkedMove(ids);
    expect((await world.read(id)).rate).toBe(2);
    expect((await world.apply(id, {}, { rate: 50 })).body.rate).toBe(2);
    const [before] = await server.sql<{ at: string }>('select clock_timestamp()::text as at');
    expect(await world.workOnce()).toBe(true);
    const [after] = await server.sql(
      `select done, next_at > $2::timestamptz + interval '0.9 s' as waits from bulk_operations where id = $1`,
      [id, before?.at],
    );
    expect(after).toEqual({ done: 2, waits: true });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 3 });
  });

  it('of an operation can be lower', async () => {
    const id = await world.checkedMove((await world.cohortWith(2)).ids);
    await world.apply(id, {}, { rate: 1 });
    await world.workOnce();
    expect(await world.read(id)).toMatchObject({ status: 'running', done: 1, ready: 1, rate: 1 });
    await world.work();
  });
});

describe('the items as CSV', () => {
  it('have a line for each experiment, and formulas are neutralised', async () => {
    const { ids } = await world.cohortWith(2);
    await server.call('updateExperiment', { params: { id: ids[0] ?? 0 }, body: { label: '=1+1' } });
    const id = await world.checkedMove([...ids, 9_999_999]);
    const response = await fetch(`${server.baseUrl}/bulk_operations/${id}/items?columns=experiment.label,result,code`, {
      headers: { authorization: basic('admin', testPassword), accept: 'text/csv' },
    });
    const { label } = (await server.call('getExperiment', { params: { id: ids[1] ?? 0 } })).body;
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await response.text()).split('\r\n')).toEqual([
      'experiment.label,result,code',
      `'=1+1,ready,`,
      `${label},ready,`,
      ',refused,not_found',
      '',
    ]);
  });
});

it('200,000 ids fit into a request, and a repeated one counts once', async () => {
  const cohort = await world.cohortWith(1);
  const ids = Array.from({ length: 199_999 }, (_, n) => 9_000_000_000 + n);
  const { status, body } = await world.create('note', {
    experiment_ids: [...cohort.ids, ...ids],
    text: 'x',
    dry_run: true,
  });
  expect([status, body.detail]).toEqual([201, undefined]);
  await server.call('stopBulkOperation', { params: { id: body.id } });
  const repeated = await world.create('note', {
    experiment_ids: [...cohort.ids, ...cohort.ids],
    text: 'x',
    dry_run: true,
  });
  await world.work();
  expect(await world.read(repeated.body.id)).toMatchObject({ experiments: 1, ready: 1 });
});
