/**
 * Uploads and paused work that nobody has continued for some time.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../testing/import-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { insertLines } from '../store/spreadsheets/import-lines.ts';
import { runBulkOperations } from './bulk/run-bulk-operations.ts';
import { stopIdleWork } from './stop-idle-work.ts';

let server: TestServer;
let world: ImportWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
});
afterAll(() => server.stop());

const stopIdle = () => stopIdleWork(server.database.db);

/** An upload whose server died after three lines. The last ones were received so long ago. */
async function interruptedUpload(ago: string): Promise<number> {
  const { body } = await world.upload(await world.cohort(), 'subject\nA-1\nA-2\nA-3\n');
  await server.sql(`update imports set status = 'uploading', lines = 0, next_at = now() - $2::interval where id = $1`, [
    body.id,
    ago,
  ]);
  return body.id;
}

const countLines = async (id: number) =>
  (await server.sql('select from import_lines where import_id = $1', [id])).length;

describe('an upload', () => {
  it('that received nothing for 10 minutes stops, says so, and loses its lines', async () => {
    const [id, recent] = [await interruptedUpload('11 minutes'), await interruptedUpload('9 minutes')];
    await stopIdle();
    expect(await world.read(id)).toMatchObject({
      status: 'stopped',
      stopped_because: 'The upload was interrupted. Upload the file again.',
      ended_at: expect.any(String),
    });
    expect(await countLines(id)).toBe(0);
    expect(await world.read(recent)).toMatchObject({ status: 'uploading', ended_at: null });
    expect(await countLines(recent)).toBe(3);
  });

  it('that still receives lines continues', async () => {
    const id = await interruptedUpload('11 minutes');
    await insertLines(server.database.db, id, [{ line: 5, cells: ['A-4'] }]);
    await stopIdle();
    expect(await world.read(id)).toMatchObject({ status: 'uploading' });
    expect(await countLines(id)).toBe(4);
  });
});

async function pausedImport(): Promise<number> {
  const { id } = await world.check(await world.cohort(), 'subject\nA-1\n');
  await server.call('applyImport', { params: { id } });
  await server.call('pauseImport', { params: { id } });
  return id;
}

async function pausedOperation(): Promise<number> {
  const experiment = await world.experimentOf(world.workflow_label);
  const note = { kind: 'note', text: 'x', experiment_ids: [experiment], dry_run: true };
  const { id } = (await server.call('createBulkOperation', { body: note })).body;
  await runBulkOperations(world.context);
  await server.call('applyBulkOperation', { params: { id }, body: { reason: 'x' } });
  await server.call('pauseBulkOperation', { params: { id } });
  return id;
}

describe('paused work', () => {
  const kinds: [string, () => Promise<number>, (id: number) => Promise<object>][] = [
    ['imports', pausedImport, (id) => world.read(id)],
    [
      'bulk_operations',
      pausedOperation,
      async (id) => (await server.call('getBulkOperation', { params: { id } })).body,
    ],
  ];

  it.each(kinds)('in %s stops 30 days after the pause, however old it is', async (table, pause, read) => {
    const [kept, stopped] = [await pause(), await pause()];
    const age = (id: number, since: string) =>
      server.sql(
        `update ${table} set created_at = now() - interval '90 days', next_at = next_at - $2::interval where id = $1`,
        [id, since],
      );
    await age(kept, '29 days');
    await age(stopped, '31 days');
    await stopIdle();
    expect(await read(kept)).toMatchObject({ status: 'paused' });
    expect(await read(stopped)).toMatchObject({ status: 'stopped', stopped_because: 'Paused for 30 days.' });
  });
});
