/**
 * Compares the jobs that we insert with the rows that `send` of pg-boss inserts.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueOptions, queueSchema } from '../database/queue-schema.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { deleteJobs, ensureQueues, hasJob, insertJobs } from './insert-jobs.ts';

let server: TestServer;
let queue: FairQueue;
beforeAll(async () => {
  server = await startTestServer();
  queue = createFairQueue(server.database.db);
});
afterAll(() => server.stop());

const insert = (executionId: number, delay: number, name = 'callbacks', bulk = false) =>
  insertJobs(sql`
    select ${executionId}::bigint, ${name}, 7::bigint, ${bulk}::boolean, now() + ${delay} * interval '1 second', ${delay}::float`).execute(
    server.database.db,
  );

const take = async (name: string) => (await queue.take(name, 10)).map(({ executionId }) => executionId);

/** All columns but the id and created_on. Times are relative to now, in steps of the delay below, because inserting takes a moment. */
const jobs = (where: string) =>
  server.sql<Record<string, unknown>>(
    `select to_jsonb(job) - 'id' - 'created_on' - 'start_after' - 'keep_until' as columns,
       round(extract(epoch from start_after - now()) / 900) as starts, round(extract(epoch from keep_until - now()) / 900) as kept
     from pgboss.job where ${where}`,
  );

it.each([
  [0, false],
  [900, true],
])('insertJobs inserts the same row as pg-boss for a delay of %i s and bulk %s', async (delay, bulk) => {
  const boss = new PgBoss({
    connectionString: server.testDatabase.databaseUrl,
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  const execution_id = 4711 + delay;
  const id = await boss.send(
    'callbacks',
    { execution_id },
    {
      startAfter: delay,
      priority: bulk ? -1 : 0,
      group: { id: '7' },
    },
  );
  await boss.stop({ graceful: false });
  const [theirs] = await jobs(`id = '${id}'`);
  await server.sql('delete from pgboss.job');
  await insert(execution_id, delay, 'callbacks', bulk);
  expect(await jobs('true')).toEqual([theirs]);
  expect(theirs?.['columns']).toMatchObject({ retry_limit: queueOptions.retryLimit, expire_seconds: 30 });
  await server.sql('delete from pgboss.job');
});

it('a job is available once, in its queue, after its delay', async () => {
  await ensureQueues(['pull/a', 'pull/b']).execute(server.database.db);
  await insert(1, 0, 'pull/a');
  await insert(2, 0, 'pull/b');
  await insert(3, 3600, 'pull/a');
  expect(await take('pull/unknown')).toEqual([]);
  expect(await take('pull/a')).toEqual([1]);
  expect(await take('pull/a')).toEqual([]);
  expect(await take('pull/b')).toEqual([2]);
});

it('a job keeps the traceparent that it was inserted with when it is rescheduled', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traced = sql`select 5::bigint, 'callbacks', 7::bigint, false, now(), 0::float, ${traceparent}::text`;
  await insertJobs(traced, { traced: true }).execute(server.database.db);
  await insert(5, 0);
  const tracedQueue = createFairQueue(server.database.db, { traced: true });
  expect(await tracedQueue.take('callbacks', 10)).toMatchObject([{ executionId: 5, traceparent }]);
  await deleteJobs(sql`select 5::bigint, 'callbacks'`).execute(server.database.db);
  await insert(5, 0);
  expect(await tracedQueue.take('callbacks', 10)).toMatchObject([{ executionId: 5, traceparent: null }]);
  await deleteJobs(sql`select 5::bigint, 'callbacks'`).execute(server.database.db);
});

it('the only job of an execution is rescheduled if it is inserted again, even if a worker has fetched it', async () => {
  await insert(9, 3600);
  await insert(9, 0);
  expect(await take('callbacks')).toEqual([9]);
  await insert(9, 0);
  expect(await take('callbacks')).toEqual([9]);
  await deleteJobs(sql`select 9::bigint, 'callbacks'`).execute(server.database.db);
  const { rows } = await sql`
    select ${hasJob('given.id', 'given.queue')} as has from (values (9::bigint, 'callbacks')) as given (id, queue)`.execute(
    server.database.db,
  );
  expect(rows).toEqual([{ has: false }]);
});
