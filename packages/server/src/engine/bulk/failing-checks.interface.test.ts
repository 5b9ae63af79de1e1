/**
 * Checks of bulk operations that fail in part, or whose query takes too long.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkWorld, type BulkWorld } from '../../../testing/bulk-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';

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

describe.each([
  ['fails unexpectedly', 'P0001'],
  ['takes too long', '57014'],
])('an experiment whose check %s', (_what, code) => {
  it.each([0, 2])('is refused alone with internal_error, as number %i of its set', async (index) => {
    const { ids } = await world.cohortWith(3);
    const broken = ids[index] ?? 0;
    await breakCheckOf(broken, code);
    const id = await world.checkedMove(ids);
    await server.sql('drop function break_check cascade');
    const operation = await world.read(id);
    expect(operation).toMatchObject({ status: 'checked', experiments: 3, ready: 2, refused: 1 });
    expect(operation.refusals).toMatchObject([{ code: 'internal_error', experiments: 1 }]);
    const items = await world.itemsOf(id);
    const results = items.map((item: { experiment_id: number; result: string }) => [item.experiment_id, item.result]);
    expect(results.toSorted()).toEqual(ids.map((one) => [one, one === broken ? 'refused' : 'ready']));
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
