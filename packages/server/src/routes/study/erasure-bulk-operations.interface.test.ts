/**
 * Bulk operations in an erasure: those that name the subject, or changed only its experiments, lose their texts and stop. Others stay as they
 * are. The canaries of erasure.interface.test.ts cover former labels.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBulkWorld, type BulkWorld } from '../../../testing/bulk-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: BulkWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createBulkWorld(server);
});
afterAll(() => server.stop());

interface Row {
  id: number;
  texts: string;
  status: string;
  stopped_because: string | null;
}

const readAll = () =>
  server.sql<Row>(
    `select id::int, status, stopped_because, concat_ws(' ', query, reason, change ->> 'text', change ->> 'variables') as texts
     from bulk_operations order by id`,
  );

const readHashes = () =>
  server.sql<{ operation: string; hash: string }>(
    `select bulk_operations.id::int as operation, encode(request_hash, 'hex') as hash from idempotency_keys as kept
     join bulk_operations on kept.location like '%/bulk_operations/' || bulk_operations.id order by bulk_operations.id`,
  );

const dryRun = { dry_run: true };

it('removes the texts of operations about the subject and the hashes of their requests, stops them and counts them in the certificate', async () => {
  const { ids } = await world.cohortWith(2);
  const [experiment = 0, kept = 0] = ids;
  const { subject } = (await server.call('getExperiment', { params: { id: experiment } })).body;
  const label = 'MC "41"';
  await server.call('updateSubject', { params: { id: subject.id }, body: { label } });
  const other = await world.cohortWith(1);
  const forgotten = [
    { kind: 'note', text: 'Asked mc "41" again', experiment_ids: other.ids, ...dryRun },
    { kind: 'retry', query: String.raw`subject:"MC \"41\"",other`, ...dryRun },
    { kind: 'set_variables', variables: { seen: ['MC "41"'] }, experiment_ids: other.ids, ...dryRun },
    { kind: 'note', text: 'x', reason: 'MC "41" moved', experiment_ids: other.ids },
    // Only of the subject, without its name.
    { kind: 'note', text: 'Has moved to Utrecht', experiment_ids: [experiment, kept, 9_999_999], ...dryRun },
  ];
  const untouched = [
    { kind: 'note', text: 'MC "410"', experiment_ids: other.ids, ...dryRun },
    { kind: 'note', text: 'Seen', experiment_ids: [experiment, kept, ...other.ids], ...dryRun },
    { kind: 'retry', query: 'label:nothing', ...dryRun },
  ];
  for (const body of [...forgotten, ...untouched]) {
    const { status } = await server.call('createBulkOperation', {
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
    expect([body.kind, status]).toEqual([body.kind, 201]);
  }
  await world.work();
  const [before, hashes] = [await readAll(), await readHashes()];
  await server.call('withdrawSubject', { params: { id: subject.id }, body: { reason: 'moved', date: '2026-03-01' } });
  const { body: request } = await server.call('requestErasure', { params: { id: subject.id }, body: { reason: 'x' } });
  const erased = await server.call('eraseSubject', {
    params: { id: subject.id },
    body: { erasure_id: request.id, label },
  });
  expect([erased.status, erased.body.destroyed.bulk_operations]).toEqual([200, forgotten.length]);
  const after = await readAll();
  const because = 'A subject that it concerns was erased.';
  const stopped = { texts: '', status: 'stopped', stopped_because: because };
  const finished = { texts: '', status: 'finished', stopped_because: null };
  const expected = [stopped, stopped, stopped, finished, stopped];
  expect(after).toEqual(before.map((row, index) => ({ ...row, ...expected[index] })));
  const forgottenHashes = (await readHashes()).map(({ hash }, index) => hash !== hashes[index]?.hash);
  expect(forgottenHashes).toEqual([...forgotten.map(() => true), ...untouched.map(() => false)]);
  expect((await world.read(before[0]?.id ?? 0)).text).toBeNull();
});
