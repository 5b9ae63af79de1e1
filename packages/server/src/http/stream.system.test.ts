/** Long lists: complete, in constant memory, at the client's pace, and never truncated silently. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLargeCohort } from '../../testing/rows/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';
import { chunksOf, megabyte, readWatchingMemory, signedIn } from '../../testing/measure/watched-reading.ts';

const subjects = 100_000;
/** Long enough that the whole list, as rows and as text, exceeds the memory limit of the test. */
const prefix = `subject ${'-'.repeat(240)} `;
const password = 'correct horse battery staple';

let testDatabase: TestDatabase;
let server: ServerProcess;
let authorization: string;

const startStreaming = (settings = {}) =>
  startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_STREAM_POOL_SIZE: '2',
    // No client is disconnected for pausing, so that only the test ends a stream.
    MILEPOST_STREAM_PAUSE_SECONDS: '3600',
    ...settings,
  });

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => insertLargeCohort(client, subjects, prefix));
  server = await startStreaming();
  authorization = await signedIn(server, password);
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

/** Reads to the end. Returns the text and the largest growth of the server's memory. */
async function readGrowth(path: string) {
  const atRest = await server.memory();
  const { text, peakMemory } = await readWatchingMemory(server, await get(path));
  return { text, growth: peakMemory - atRest };
}

/** Polls, because the server handles a disconnect a moment later. */
const eventually = async (holds: () => Promise<boolean>) => {
  await expect.poll(holds, { interval: 50 }).toBe(true);
};

const asOwner = <T extends object>(text: string, values: readonly unknown[] = []) =>
  withClient(testDatabase.ownerUrl, async (client) => (await client.query<T>(text, [...values])).rows);
const asSuperuser = <T extends object>(text: string) =>
  withClient(testDatabase.superuserUrl, async (client) => (await client.query<T>(text)).rows);

/** When the server last read a batch. */
const lastRead = async () => {
  const [row] = await asSuperuser<{ at: string }>(
    `select max(state_change)::text as at from pg_stat_activity
     where datname = current_database() and state = 'idle' and query like '%from "subjects"%'`,
  );
  return row?.at;
};

/** Resolves once the buffers between server and client are full, so that the server reads no further batch. */
async function untilReadingPauses(): Promise<void> {
  let seen: string | undefined;
  const unchanged = async () => {
    const before = seen;
    seen = await lastRead();
    return seen !== undefined && seen === before;
  };
  await expect.poll(unchanged, { interval: 300 }).toBe(true);
}

/** Whether a connection still uses a snapshot from before the given transaction. */
const hasOlderSnapshot = async (transaction: string) => {
  const older = await asSuperuser(
    `select from pg_stat_activity where datname = current_database() and backend_xmin::text::bigint < ${transaction}`,
  );
  return older.length > 0;
};

const noStreams = async () => (await server.metric('milepost_streams')) === 0;

describe(`a list of ${subjects} subjects`, () => {
  it('streams completely while memory grows by less than 50 MB', async () => {
    await (await get('/subjects?limit=10000')).text();
    const { text, growth } = await readGrowth('/subjects');
    const { subjects: rows } = JSON.parse(text) as { subjects: { id: number; label: string; uri: string }[] };
    expect(rows).toHaveLength(subjects);
    expect(new Set(rows.map((row) => row.id)).size).toBe(subjects);
    expect(rows.at(-1)).toEqual({ id: subjects, label: prefix + subjects, uri: `/api/v2/subjects/${subjects}` });
    expect(growth).toBeLessThan(50 * megabyte);
  });

  it('uses constant memory while the client pauses, then streams completely', async () => {
    const atRest = await server.memory();
    const chunks = chunksOf(await get('/subjects'));
    const decoder = new TextDecoder();
    let text = decoder.decode((await chunks.next()).value, { stream: true });
    await untilReadingPauses();
    expect((await server.memory()) - atRest).toBeLessThan(50 * megabyte);
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
    expect((JSON.parse(text) as { subjects: unknown[] }).subjects).toHaveLength(subjects);
  });

  it('streams as part of its cohort', async () => {
    const { text, growth } = await readGrowth('/cohorts/1');
    const cohort = JSON.parse(text) as { label: string; subjects: unknown[] };
    expect(cohort.label).toBe('large');
    expect(cohort.subjects).toHaveLength(subjects);
    expect(growth).toBeLessThan(50 * megabyte);
  });

  it('is reduced to the requested fields while it streams', async () => {
    const text = await (await get('/subjects', { fields: 'subjects{id}' })).text();
    const { subjects: rows } = JSON.parse(text) as { subjects: object[] };
    expect(rows).toHaveLength(subjects);
    expect(rows[0]).toEqual({ id: 1 });
  });

  it('streams pages of more than 10,000 rows, with a link to the next page', async () => {
    const response = await get('/subjects?limit=60000');
    expect(response.headers.get('link')).toBe('</api/v2/subjects?limit=60000&after=60000>; rel="next"');
    expect(((await response.json()) as { subjects: unknown[] }).subjects).toHaveLength(60_000);
    const last = await get('/subjects?limit=60000&after=60000');
    expect(last.headers.get('link')).toBeNull();
    expect(((await last.json()) as { subjects: unknown[] }).subjects).toHaveLength(40_000);
  });

  it('returns no body for HEAD and stops reading', async () => {
    const response = await get('/subjects', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    await eventually(noStreams);
  });
});

describe('a stream that ends early', () => {
  it('does not look complete when the database fails in the middle', async () => {
    const role = new URL(testDatabase.databaseUrl).username;
    const chunks = chunksOf(await get('/subjects'));
    await chunks.next();
    await asOwner(`revoke select on subjects from "${role}"`);
    const readOn = async () => {
      while (!(await chunks.next()).done);
    };
    await expect(readOn()).rejects.toThrow('terminated');
    await asOwner(`grant select on subjects to "${role}"`);
    await eventually(noStreams);
  });

  it('releases its connection when the client disconnects (V1.4.3)', async () => {
    const disconnecting = new AbortController();
    const chunks = chunksOf(await get('/subjects', { signal: disconnecting.signal }));
    await chunks.next();
    expect(await server.metric('milepost_streams')).toBe(1);
    disconnecting.abort();
    await eventually(noStreams);
  });

  it('is closed when its client reads nothing for the configured time', async () => {
    const impatient = await startStreaming({ MILEPOST_STREAM_PAUSE_SECONDS: '2' });
    const response = await get('/subjects', { of: impatient });
    try {
      await expect.poll(() => impatient.metric('milepost_streams'), { interval: 50 }).toBe(0);
      await expect(response.text()).rejects.toThrow('terminated');
    } finally {
      await impatient.stop();
    }
  });
});

describe('a client that pauses in the middle of a list', () => {
  it('holds no snapshot, so that vacuum can remove deleted rows', async () => {
    const disconnecting = new AbortController();
    const chunks = chunksOf(await get('/subjects', { signal: disconnecting.signal }));
    await chunks.next();
    await untilReadingPauses();
    const [row] = await asOwner<{ id: string }>('select pg_current_xact_id()::text as id');
    await eventually(async () => !(await hasOlderSnapshot(row?.id ?? '0')));
    expect(await server.metric('milepost_streams')).toBe(1);
    disconnecting.abort();
    await eventually(noStreams);
  });
});

const subjectIds = async () => (await asOwner<{ id: string }>('select id from subjects')).map(({ id }) => Number(id));

describe('a list that changes while it is read', () => {
  it('contains every subject that exists during the whole time exactly once', async () => {
    const before = await subjectIds();
    const decoder = new TextDecoder();
    let [text, chunks] = ['', 0];
    for await (const chunk of chunksOf(await get('/subjects'))) {
      text += decoder.decode(chunk, { stream: true });
      if (chunks++ % 20 !== 0) continue;
      await asOwner('delete from subjects where id in (select $1::int + n * 997 from generate_series(1, 90) n)', [
        chunks,
      ]);
      await asOwner(`insert into subjects (cohort_id, label) select 1, $1 || n from generate_series(1, 50) n`, [
        `added ${chunks} `,
      ]);
    }
    const read = (JSON.parse(text) as { subjects: { id: number }[] }).subjects.map(({ id }) => id);
    const remaining = new Set(await subjectIds());
    expect(remaining.size).not.toBe(before.length);
    const seen = new Set(read);
    expect(seen.size).toBe(read.length);
    const throughout = before.filter((id) => remaining.has(id));
    expect(throughout.filter((id) => !seen.has(id))).toEqual([]);
  });
});

describe('a request for a whole list', () => {
  it('returns 503 with Retry-After when 50 clients per connection read lists, while pages still work (V2.4.1)', async () => {
    const small = await startStreaming({ MILEPOST_STREAM_POOL_SIZE: '1' });
    const disconnecting = new AbortController();
    const request = { signal: disconnecting.signal, of: small };
    try {
      const readers = await Promise.all(Array.from({ length: 50 }, () => get('/subjects', request)));
      expect(new Set(readers.map((reader) => reader.status))).toEqual(new Set([200]));
      const refused = await get('/subjects', { of: small });
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(await refused.json()).toMatchObject({ code: 'busy' });
      expect((await get('/subjects?limit=10', { of: small })).status).toBe(200);
    } finally {
      disconnecting.abort();
      await small.stop();
    }
  });
});
