/** Event streams after one transaction that causes many events at once, such as an import that moves all experiments. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { basic, createClient } from '@milepost/api';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';

let server: TestServer;
let stop: AbortController;
beforeEach(async () => {
  server = await startTestServer({
    // No client is disconnected for pausing, so that only the test ends a stream.
    settings: { MILEPOST_POOL_SIZE: '1', MILEPOST_STREAM_POOL_SIZE: '2', MILEPOST_STREAM_PAUSE_SECONDS: '3600' },
  });
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await server.stop();
});

interface Reader {
  objectIds: number[];
  ready: Promise<string>;
  /** Resolves when the stream ends for any reason. */
  ended: Promise<void>;
  hasEnded: boolean;
}

interface ReaderOptions {
  lastEventId?: string;
  /** The reader reads nothing after the first message until this resolves. */
  pause?: Promise<void>;
}

/** Reads the events of bursts over one connection. It never reconnects. */
function startReader({ pause, ...options }: ReaderOptions = {}): Reader {
  const client = createClient({ baseUrl: server.baseUrl, authorization: basic('admin', testPassword) });
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const read = async () => {
    const query = { kind: 'startExecution' };
    for await (const { event, id, data } of await client.listEvents({ ...options, query, signal: stop.signal })) {
      if (event === 'ready') {
        resolve(id);
        await pause;
      } else reader.objectIds.push(data.object_id);
    }
  };
  const reader: Reader = { objectIds: [], ready, ended: Promise.resolve(), hasEnded: false };
  reader.ended = read()
    .catch(() => undefined)
    .then(() => void (reader.hasEnded = true));
  return reader;
}

/** More than the buffers of the operating system hold, so that a paused client holds up the server. */
const bytesPerBurst = 32 * 1024 * 1024;

const insertBurst = (count: number) =>
  server.sql(
    `insert into events (kind, object_kind, object_id, data)
     select 'startExecution', 'none', n, jsonb_build_object('text', repeat('x', $2)) from generate_series(1, $1::int) n`,
    [count, Math.min(2000, Math.floor(bytesPerBurst / count))],
  );

const metric = async (name: string) => (await server.metrics.getSingleMetric(name)?.get())?.values[0]?.value;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const haveRead = (some: Reader[], count: number) =>
  some.every(({ objectIds, hasEnded }) => hasEnded || objectIds.length >= count);

/** Runs the work while requests use all connections of their pool. */
async function holdingPool(work: () => Promise<void>): Promise<void> {
  const held = await server.database.pool.connect();
  await work().finally(() => held.release());
}

async function expectBurstDelivered(events: number, readers: number): Promise<void> {
  const { promise: pause, resolve: resume } = Promise.withResolvers<void>();
  const slow = startReader({ pause });
  const fast = Array.from({ length: readers }, () => startReader());
  const all = [slow, ...fast];
  await Promise.all(all.map(({ ready }) => ready));
  await holdingPool(async () => {
    await insertBurst(events);
    await expect.poll(() => haveRead(fast, events)).toBe(true);
    await expect.poll(() => metric('milepost_event_streams_behind')).toBe(1);
    expect(server.database.pool.waitingCount).toBe(0);
    resume();
    await expect.poll(() => haveRead(all, events)).toBe(true);
    await expect.poll(() => metric('milepost_event_streams_behind')).toBe(0);
  });
  await insertBurst(1);
  await expect.poll(() => haveRead(all, events + 1)).toBe(true);
  for (const { objectIds } of all) expect(objectIds).toEqual([...numbers(events), 1]);
  expect(all.map(({ hasEnded }) => hasEnded)).toEqual(all.map(() => false));
}

it('sends a burst once and in order over one connection, to fast and slow readers, while requests hold their pool', async () => {
  await expectBurstDelivered(16_000, 3);
});

it('sends 160,000 events to 20 readers in the same way', { tags: ['nightly'] }, async () => {
  await expectBurstDelivered(160_000, 20);
});

it('keeps a reader connected that is behind while the database fails', async () => {
  const position = await startReader().ready;
  const role = new URL(server.testDatabase.databaseUrl).username;
  await insertBurst(2000);
  await server.sql(`revoke select on events from "${role}"`);
  const reader = startReader({ lastEventId: position });
  await reader.ready;
  await expect.poll(() => metric('milepost_event_streams_behind')).toBeGreaterThan(0);
  await server.sql(`grant select on events to "${role}"`);
  await expect.poll(() => reader.hasEnded || reader.objectIds.length >= 2000).toBe(true);
  expect(reader.objectIds).toEqual(numbers(2000));
});

it('sends nothing while the access of a reader cannot be checked, and continues afterwards', async () => {
  const reader = startReader();
  await reader.ready;
  await insertBurst(1);
  await expect.poll(() => reader.objectIds).toEqual([1]);
  await expect.poll(() => metric('milepost_event_streams_behind')).toBe(0);
  const role = new URL(server.testDatabase.databaseUrl).username;
  await server.sql(`revoke select on users from "${role}"`);
  await expect.poll(async () => reader.hasEnded || (await metric('milepost_event_streams_behind')) === 1).toBe(true);
  await insertBurst(10);
  expect(reader).toMatchObject({ hasEnded: false, objectIds: [1] });
  await server.sql(`grant select on users to "${role}"`);
  await expect.poll(() => reader.hasEnded || reader.objectIds.length > 10).toBe(true);
  expect(reader.objectIds).toEqual([1, ...numbers(10)]);
});

/** The reads of events that wait for the lock of the test. Only a superuser sees the statements of other roles. */
const blockedReads = () =>
  withClient(server.testDatabase.superuserUrl, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from events%'`,
    );
    return rowCount;
  });

it('leaves a connection to long lists while many readers are behind', async () => {
  const first = startReader();
  const position = await first.ready;
  stop.abort();
  await first.ended;
  stop = new AbortController();
  await insertBurst(2000);
  await server.sql(`insert into cohorts (label) values ('large')`);
  await server.sql(`insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, 3000) n`);
  const readers: Reader[] = [];
  await withClient(server.testDatabase.ownerUrl, async (owner) => {
    await owner.query('begin');
    await owner.query('lock table events in access exclusive mode');
    readers.push(...Array.from({ length: 20 }, () => startReader({ lastEventId: position })));
    await expect.poll(() => metric('milepost_event_streams_behind')).toBe(20);
    await expect.poll(blockedReads).toBe(1);
    const { body } = await server.call('listSubjects');
    expect(body.subjects).toHaveLength(3000);
    expect(await blockedReads()).toBe(1);
    await owner.query('commit');
  });
  await expect.poll(() => readers.every(({ objectIds }) => objectIds.length === 2000)).toBe(true);
});
