/** Long lists: complete, in constant memory, at the reader's pace, and never cut without showing it. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLargeCohort } from '../../testing/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { chunksOf, megabyte, readWatching } from '../../testing/watched-reading.ts';

const subjects = 200_000;
/** Long enough that the whole list does not fit into the buffers between server and reader. */
const prefix = `subject ${'-'.repeat(200)} `;
const password = 'correct horse battery staple';
const authorization = basic('admin', password);

let testDatabase: TestDatabase;
let server: ServerProcess;

const startStreaming = (settings = {}) =>
  startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_STREAM_POOL_SIZE: '2',
    // Nobody is given up for pausing, so that what ends a stream is what the test did.
    MILEPOST_STREAM_PAUSE_SECONDS: '3600',
    ...settings,
  });

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => insertLargeCohort(client, subjects, prefix));
  server = await startStreaming();
});
afterAll(async () => {
  await server.stop();
  await testDatabase.drop();
});

const get = (
  path: string,
  init: { method?: string; signal?: AbortSignal; fields?: string; of?: ServerProcess } = {},
) => {
  const { fields, of = server, ...rest } = init;
  const headers = { authorization, ...(fields !== undefined && { 'x-fields': fields }) };
  return fetch(of.baseUrl + path, { ...rest, headers });
};

/** Reads to the end, waiting after each chunk, and answers the text and the largest growth of the server's memory. */
async function readGrowth(path: string, pauseMs: number) {
  const atRest = await server.memory();
  const { text, most } = await readWatching(server, await get(path), pauseMs);
  return { text, growth: most - atRest };
}

/** Until it holds: what the server does after a connection went is seen a moment later. */
const eventually = async (holds: () => Promise<boolean>) => {
  await expect.poll(holds, { interval: 50 }).toBe(true);
};

/** Whether the connection of the one stream could be ended while it rests between two batches. */
const killStream = () =>
  withClient(testDatabase.superuserUrl, async (client) => {
    const killed = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'fetch%' and state = 'idle in transaction'`,
    );
    return killed.rowCount === 1;
  });

const noStreams = async () => (await server.metric('milepost_streams')) === 0;

describe(`a list of ${subjects} subjects`, () => {
  it('streams completely while memory grows by less than 100 MB', async () => {
    await (await get('/subjects?limit=10000')).text();
    const { text, growth } = await readGrowth('/subjects', 0);
    const { subjects: rows } = JSON.parse(text) as { subjects: { id: number; label: string; uri: string }[] };
    expect(rows).toHaveLength(subjects);
    expect(new Set(rows.map((row) => row.id)).size).toBe(subjects);
    expect(rows.at(-1)).toEqual({ id: subjects, label: prefix + subjects, uri: `/api/v2/subjects/${subjects}` });
    expect(growth).toBeLessThan(100 * megabyte);
  });

  it('streams completely to a slow reader, in constant memory', async () => {
    const { text, growth } = await readGrowth('/subjects', 20);
    expect((JSON.parse(text) as { subjects: unknown[] }).subjects).toHaveLength(subjects);
    expect(growth).toBeLessThan(100 * megabyte);
  });

  it('streams inside the cohort that holds it', async () => {
    const { text, growth } = await readGrowth('/cohorts/1', 0);
    const cohort = JSON.parse(text) as { label: string; subjects: unknown[] };
    expect(cohort.label).toBe('large');
    expect(cohort.subjects).toHaveLength(subjects);
    expect(growth).toBeLessThan(100 * megabyte);
  });

  it('streams inside an execution of the cohort that holds it', async () => {
    const { text, growth } = await readGrowth('/callback_executions/1', 0);
    const shown = JSON.parse(text) as {
      cohort: { subjects: unknown[] };
      subject: { experiments: unknown[] };
      status: string;
    };
    expect(shown.cohort.subjects).toHaveLength(subjects);
    expect(shown.subject.experiments).toHaveLength(1);
    expect(shown.status).toBe('queued');
    expect(growth).toBeLessThan(100 * megabyte);
  });

  it('is masked while it streams', async () => {
    const text = await (await get('/subjects', { fields: 'subjects{id}' })).text();
    const { subjects: rows } = JSON.parse(text) as { subjects: object[] };
    expect(rows).toHaveLength(subjects);
    expect(rows[0]).toEqual({ id: 1 });
  });

  it('pages above 10,000 rows stream, too, and name the next page', async () => {
    const response = await get('/subjects?limit=150000');
    expect(response.headers.get('link')).toBe('</api/v2/subjects?limit=150000&after=150000>; rel="next"');
    expect(((await response.json()) as { subjects: unknown[] }).subjects).toHaveLength(150_000);
    const last = await get('/subjects?limit=150000&after=150000');
    expect(last.headers.get('link')).toBeNull();
    expect(((await last.json()) as { subjects: unknown[] }).subjects).toHaveLength(50_000);
  });

  it('answers HEAD without reading on', async () => {
    const response = await get('/subjects', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    await eventually(noStreams);
  });
});

describe('a stream that ends early', () => {
  it('does not look complete when the database fails in the middle', async () => {
    const chunks = chunksOf(await get('/subjects'));
    await chunks.next();
    // The server may be reading a batch just now: it rests between two batches once the reader is full.
    await eventually(killStream);
    const readOn = async () => {
      while (!(await chunks.next()).done);
    };
    await expect(readOn()).rejects.toThrow('terminated');
    await eventually(noStreams);
  });

  it('gives its connection back when the reader goes away (V1.4.3)', async () => {
    const leaving = new AbortController();
    const chunks = chunksOf(await get('/subjects', { signal: leaving.signal }));
    await chunks.next();
    expect(await server.metric('milepost_streams')).toBe(1);
    leaving.abort();
    await eventually(noStreams);
  });

  it('is given up when its reader takes nothing for the set time', async () => {
    const impatient = await startStreaming({ MILEPOST_STREAM_PAUSE_SECONDS: '2' });
    const response = await get('/subjects', { of: impatient });
    try {
      await expect.poll(() => impatient.metric('milepost_streams'), { interval: 50 }).toBe(0);
      await expect(response.text()).rejects.toThrow('terminated');
    } finally {
      await impatient.stop();
    }
  });

  it('is refused with 503 and Retry-After when all streams are taken, while pages go on (V2.4.1)', async () => {
    const leaving = new AbortController();
    const readers = await Promise.all([1, 2].map(() => get('/subjects', { signal: leaving.signal })));
    expect(readers.map((reader) => reader.status)).toEqual([200, 200]);
    const refused = await get('/subjects');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'busy' });
    expect((await get('/subjects?limit=10')).status).toBe(200);
    leaving.abort();
    await eventually(noStreams);
  });
});
