/**
 * Checks of bulk operations that fail in part, or whose query takes too long.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkWorld, type BulkWorld } from '../../../testing/bulk-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { beingChanged, maxSlowTries, maxTries } from '../due-sets.ts';

let server: TestServer;
let world: BulkWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createBulkWorld(server);
});
afterAll(() => server.stop());

/** Fails while the experiment is checked. It can still be refused. */
const breakCheckOf = (id: number, code: string) =>
  server.sql(`create function break_check() returns trigger language plpgsql as $$
      begin raise 'broken' using errcode = '${code}'; end $$;
    create trigger break_check before insert on bulk_items for each row
      when (new.experiment_id = ${id} and new.refusal is null) execute function break_check()`);

async function expectRefusedAlone(id: number, ids: readonly number[], broken: number): Promise<void> {
  const operation = await world.read(id);
  expect(operation).toMatchObject({ status: 'checked', experiments: 3, ready: 2, refused: 1 });
  expect(operation.refusals).toMatchObject([{ code: 'internal_error', experiments: 1 }]);
  const items = await world.itemsOf(id);
  const results = items.map((item: { experiment_id: number; result: string }) => [item.experiment_id, item.result]);
  expect(results.toSorted()).toEqual(ids.map((one) => [one, one === broken ? 'refused' : 'ready']));
}

describe('an experiment whose check fails unexpectedly', () => {
  it.each([0, 2])('is refused alone with internal_error, as number %i of its set', async (index) => {
    const { ids } = await world.cohortWith(3);
    const broken = ids[index] ?? 0;
    await breakCheckOf(broken, 'P0001');
    const id = await world.checkedMove(ids);
    await server.sql('drop function break_check cascade');
    await expectRefusedAlone(id, ids, broken);
  });
});

describe('an experiment whose check takes too long', () => {
  const waiting_for = 'The database responds too slowly.';

  it('is checked again later, and succeeds if it is fast then', async () => {
    const { ids } = await world.cohortWith(3);
    await breakCheckOf(ids[0] ?? 0, '57014');
    const id = await world.checkedMove(ids);
    await server.sql('drop function break_check cascade');
    expect(await world.read(id)).toMatchObject({ status: 'checking', experiments: 0, waiting_for });
    await world.workOnce();
    expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 3, refused: 0, waiting_for: null });
  });

  it(`is refused alone with internal_error after ${maxSlowTries} slow attempts, and earlier waits for locks do not count`, async () => {
    const { ids } = await world.cohortWith(3);
    const broken = ids[0] ?? 0;
    await breakCheckOf(broken, '57014');
    const id = await world.checkedMove(ids);
    const locked = [id, 100, beingChanged];
    await server.sql('update bulk_operations set tries = $2, waiting_for = $3 where id = $1', locked);
    let tries = 0;
    for (await world.workOnce(); (await world.read(id)).waiting_for === waiting_for; tries++) await world.workOnce();
    await world.work();
    await server.sql('drop function break_check cascade');
    expect(tries).toBe(maxSlowTries);
    await expectRefusedAlone(id, ids, broken);
  });
});

it(`an operation of which nothing can be done ${maxTries} times in a row stops, and says why`, async () => {
  const { ids } = await world.cohortWith(1);
  const id = await world.checkedMove(ids);
  await world.apply(id);
  await server.sql('update bulk_operations set tries = $2, waiting_for = $3 where id = $1', [
    id,
    maxTries - 1,
    beingChanged,
  ]);
  await withClient(server.testDatabase.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from experiments where id = any($1) for update', [ids]);
    await world.workOnce();
    await client.query('rollback');
  });
  expect(await world.read(id)).toMatchObject({ status: 'running', ready: 1 });
  await world.workOnce();
  expect(await world.read(id)).toMatchObject({
    status: 'stopped',
    ready: 1,
    stopped_because: `Stopped after ${maxTries} failed attempts. ${beingChanged}`,
  });
});

const cancelWaiting = `select pg_cancel_backend(pid) from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database()`;

describe('the query of an operation', () => {
  it('that is cancelled stops it, and says what to do', async () => {
    const { body } = await world.create('retry', { query: '', dry_run: true });
    await withClient(server.testDatabase.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table experiments in access exclusive mode');
      const working = world.work();
      await expect.poll(async () => (await client.query(cancelWaiting)).rowCount).toBe(1);
      await working;
      await client.query('rollback');
    });
    const because = 'The query takes too long. Narrow it.';
    expect(await world.read(body.id)).toMatchObject({ status: 'stopped', stopped_because: because });
  });

  it('runs once', async () => {
    const workflow = await world.importWorkflow('states: [{label: start}]\n');
    await world.experimentOf(workflow);
    const { body } = await world.create('retry', { query: `workflow:"${workflow}"`, dry_run: true });
    await world.workOnce();
    await world.experimentOf(workflow);
    await world.work();
    expect(await world.read(body.id)).toMatchObject({ status: 'checked', experiments: 1 });
  });
});
