/**
 * Bulk operations whose experiments or workflow others have locked.
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

const whileLocked = (lock: string, ids: readonly number[], work: () => Promise<unknown>) =>
  withClient(server.testDatabase.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(lock, [ids]);
    await work();
    await client.query('rollback');
  });

const locks: [string, string, string][] = [
  [
    'workflow',
    'select from workflows where id in (select workflow_id from experiments where id = any($1)) for update',
    'The workflow is being imported.',
  ],
  [
    'experiments',
    'select from experiments where id = any($1) for update',
    'Other requests are changing the same subjects or experiments.',
  ],
];

describe.each(locks)('an operation whose %s others have locked', (_what, lock, waiting_for) => {
  it('pauses, says why, and continues when they are free', async () => {
    const { ids } = await world.cohortWith(2);
    const id = await world.checkedMove(ids);
    await world.apply(id);
    await whileLocked(lock, ids, () => world.work());
    expect(await world.read(id)).toMatchObject({ status: 'running', ready: 2, waiting_for, seconds_left: null });
    const [due] = await server.sql<{ seconds: number }>(
      'select extract(epoch from next_at - now())::float8 as seconds from bulk_operations where id = $1',
      [id],
    );
    expect(due?.seconds).toBeGreaterThan(1);
    await world.workOnce();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2, waiting_for: null });
  });

  it('shows neither the reason nor an estimate of the pace before while it is paused', async () => {
    const { ids } = await world.cohortWith(3);
    const id = await world.checkedMove(ids);
    await world.apply(id, {}, { rate: 1 });
    await world.workOnce();
    await whileLocked(lock, ids, () => world.workOnce());
    expect(await world.read(id)).toMatchObject({ done: 1, waiting_for, per_second: null });
    const { body } = await server.call('pauseBulkOperation', { params: { id } });
    expect(body).toMatchObject({ status: 'paused', waiting_for: null, per_second: null });
    await server.call('stopBulkOperation', { params: { id } });
  });
});
