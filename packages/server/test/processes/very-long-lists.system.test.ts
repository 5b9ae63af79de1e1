/**
 * Very long lists: constant memory for a million rows, and no old snapshot while a client reads slowly.
 *
 * @module-tag nightly
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunksOf, megabyte, signedIn } from '../../testing/measure/watched-reading.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';
import { insertLargeCohort } from '../../testing/rows/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/test-database.ts';

const subjects = 1_000_000;
const password = 'correct horse battery staple';

let testDatabase: TestDatabase;
let server: ServerProcess;
let authorization: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) =>
    insertLargeCohort(client, subjects, `subject ${'-'.repeat(200)} `),
  );
  server = await startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_STREAM_PAUSE_SECONDS: '3600',
  });
  authorization = await signedIn(server, password);
});
afterAll(async () => {
  await server.stop();
  await testDatabase.drop();
});

const readSubjects = async (signal?: AbortSignal) =>
  chunksOf(
    await fetch(`${server.baseUrl}/subjects`, {
      headers: { authorization },
      ...(signal && { signal }),
    }),
  );

const countRows = (chunk: Uint8Array) => Buffer.from(chunk).toString('latin1').split('"id":').length - 1;

it('memory grows by less than 100 MB while a list of a million subjects is sent', async () => {
  const atRest = await server.memory();
  let [rows, chunks, peak, tail] = [0, 0, 0, ''];
  for await (const chunk of await readSubjects()) {
    // A chunk can end in the middle of a name, so its beginning is counted with the next chunk.
    const text = tail + Buffer.from(chunk).toString('latin1');
    rows += text.split('"id":').length - 1;
    tail = text.slice(-4);
    if (chunks++ % 100 === 0) peak = Math.max(peak, await server.memory());
  }
  expect(rows).toBe(subjects);
  expect(peak - atRest).toBeLessThan(100 * megabyte);
});

/** Starts a transaction, and counts the connections that still use a snapshot from before the previous one. */
async function countOlderSnapshots(previous: string): Promise<{ id: string; older: number }> {
  return withClient(testDatabase.superuserUrl, async (client) => {
    const { rows } = await client.query<{ id: string; older: number }>(
      `select pg_current_xact_id()::text as id, (select count(*)::int from pg_stat_activity
         where datname = current_database() and backend_xmin::text::bigint < $1::bigint) as older`,
      [previous],
    );
    return rows[0] ?? { id: '0', older: -1 };
  });
}

it('a client that takes 20 ms for each of 10,000 rows never holds a snapshot for longer than one batch', async () => {
  const disconnecting = new AbortController();
  let [rows, previous] = [0, '0'];
  for await (const chunk of await readSubjects(disconnecting.signal)) {
    const found = countRows(chunk);
    await pause(20 * found);
    const sample = await countOlderSnapshots(previous);
    expect(sample.older).toBe(0);
    [rows, previous] = [rows + found, sample.id];
    if (rows >= 10_000) break;
  }
  disconnecting.abort();
});
