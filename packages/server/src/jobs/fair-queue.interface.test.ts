/**
 * How jobs are shared between workflows and priorities, counted in jobs, index entries and locked rows.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsRead, sentPlan, statementsDuring } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';
import { inTransaction } from '../database/transaction.ts';
import { createFairQueue, type Slots } from './fair-queue.ts';
import type { TakenJob } from './take-fairly.ts';
import { ensureQueues, insertJobs } from './insert-jobs.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let queues = 0;
const createQueue = async () => {
  const name = `pull/fair-${queues++}`;
  await ensureQueues([name]).execute(server.database.db);
  return name;
};

interface Line {
  queue: string;
  /** The ids of the first execution and of the last. */
  from: number;
  to: number;
  workflow: number;
  bulk?: boolean;
  dueInSeconds?: number;
}

const insertLine = ({ queue, from, to, workflow, bulk = false, dueInSeconds = 0 }: Line) =>
  insertJobs(sql`
    select id, ${queue}, ${workflow}::bigint, ${bulk}::boolean, now() + ${dueInSeconds} * interval '1 second' + id * interval '1 microsecond' - interval '1 second', 0
    from generate_series(${from}::bigint, ${to}::bigint) as id`).execute(server.database.db);

const idsOf = (jobs: readonly TakenJob[]) => jobs.map(({ executionId }) => executionId);

const takeOneByOne = async (queue: string, count: number, slots?: Slots): Promise<number[]> => {
  const taking = createFairQueue(server.database.db);
  const ids: number[] = [];
  while (ids.length < count) ids.push(...idsOf(await taking.take(queue, 1, slots)));
  return ids;
};

describe('two workflows', () => {
  it('get half of the jobs each, however many wait, in the order in which they became due', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 1, to: 2000, workflow: 1 });
    await insertLine({ queue, from: 5001, to: 5030, workflow: 2 });
    const taken = idsOf(await createFairQueue(server.database.db).take(queue, 20));
    const [first, second] = [taken.filter((id) => id <= 2000), taken.filter((id) => id > 2000)];
    expect(first.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    expect(second.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => index + 5001));
  });

  it('alternate if a worker takes one job at a time', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 10_001, to: 12_000, workflow: 1 });
    await insertLine({ queue, from: 15_001, to: 15_030, workflow: 2 });
    expect(await takeOneByOne(queue, 6)).toEqual([10_001, 15_001, 10_002, 15_002, 10_003, 15_003]);
  });

  it('leave no slot empty if one of them has too few jobs', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 20_001, to: 20_100, workflow: 1 });
    await insertLine({ queue, from: 25_001, to: 25_002, workflow: 2 });
    expect(await createFairQueue(server.database.db).take(queue, 20)).toHaveLength(20);
  });

  it('get the same number of slots, even if the runs of one of them take longer', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 30_001, to: 30_100, workflow: 1 });
    await insertLine({ queue, from: 35_001, to: 35_100, workflow: 2 });
    const occupied = ['1', '1', '2'].map((workflow) => ({ workflow, bulk: false }));
    const taking = createFairQueue(server.database.db);
    // Now both are known.
    await taking.take(queue, 2);
    expect(idsOf(await taking.take(queue, 1, { slots: 4, occupied }))).toEqual([35_002]);
    expect(idsOf(await taking.take(queue, 1, { slots: 4, occupied }))).toEqual([35_003]);
  });
});

describe('runs of bulk moves', () => {
  it('wait for those of single moves, but get every tenth job', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 40_001, to: 41_000, workflow: 1, bulk: true });
    await insertLine({ queue, from: 45_001, to: 45_100, workflow: 1 });
    const taken = await takeOneByOne(queue, 40);
    expect(taken.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, index) => 45_001 + index));
    expect(taken.filter((id) => id < 45_000)).toEqual([40_001, 40_002, 40_003, 40_004]);
  });

  it('get no more than a tenth of the slots while others wait', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 50_001, to: 51_000, workflow: 1, bulk: true });
    await insertLine({ queue, from: 55_001, to: 55_100, workflow: 1 });
    const slots = { slots: 10, occupied: [{ workflow: '1', bulk: true }] };
    const taken = await takeOneByOne(queue, 40, slots);
    expect(taken.filter((id) => id < 55_000)).toEqual([]);
  });

  it('get all slots if nothing else waits', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 60_001, to: 60_100, workflow: 1, bulk: true });
    const slots = { slots: 10, occupied: [{ workflow: '1', bulk: true }] };
    expect(await createFairQueue(server.database.db).take(queue, 9, slots)).toHaveLength(9);
  });
});

describe('jobs of the previous release', () => {
  it('are taken, although they name no workflow', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 70_001, to: 70_004, workflow: 1 });
    await server.sql(
      `insert into pgboss.job_common (id, name, data, start_after, retry_limit, expire_seconds, policy)
       select lpad(to_hex(id), 32, '0')::uuid, $1, jsonb_build_object('execution_id', id), now(), 5, 30, 'standard'
       from generate_series(75001, 75003) as id`,
      [queue],
    );
    const taken = idsOf(await createFairQueue(server.database.db).take(queue, 10));
    expect(taken.toSorted((a, b) => a - b)).toEqual([70_001, 70_002, 70_003, 70_004, 75_001, 75_002, 75_003]);
  });
});

describe('the statement that takes jobs', () => {
  it.each(['force_custom_plan', 'force_generic_plan'] as const)(
    'reads one entry for each line and the jobs that it takes, and locks only those, with %s',
    async (mode) => {
      const queue = await createQueue();
      const first = mode === 'force_custom_plan' ? 100_000 : 600_000;
      await insertLine({ queue, from: first + 1, to: first + 20_000, workflow: 1, bulk: true });
      await insertLine({ queue, from: first + 20_001, to: first + 22_000, workflow: 3, dueInSeconds: 3600 });
      await insertLine({ queue, from: first + 22_001, to: first + 22_010, workflow: 2 });
      await server.sql('delete from pgboss.job_common where name <> $1', [queue]);
      const take = () => createFairQueue(server.database.db).take(queue, 5);
      const [statement = { text: '', values: [] }] = await statementsDuring(take, /update pgboss.job_common/);
      const plan = await sentPlan(server, statement, mode);
      const locked = plan.find((node) => node['Node Type'] === 'LockRows');
      expect(locked).toMatchObject({ 'Actual Rows': 5, 'Actual Loops': 1 });
      expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(10);
    },
  );

  it('is planned for the first five executions only', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 700_001, to: 720_000, workflow: 1 });
    await withClient(server.testDatabase.ownerUrl, (client) => client.query('analyze pgboss.job_common'));
    await inTransaction(server.database.db, async (tx) => {
      const taking = createFairQueue(tx);
      for (let times = 1; times <= 12; times++) expect(await taking.take(queue, 1)).toHaveLength(1);
      const { rows } = await sql<{ custom_plans: number }>`
        select custom_plans from pg_prepared_statements where statement like '%lines as materialized%' and custom_plans > 0`.execute(
        tx,
      );
      expect(rows).toEqual([{ custom_plans: 5 }]);
    });
  });

  it('skips jobs that another process has locked', async () => {
    const queue = await createQueue();
    await insertLine({ queue, from: 400_001, to: 400_010, workflow: 1 });
    await server.database.db.transaction().execute(async (tx) => {
      await sql`select from pgboss.job_common where name = ${queue} order by created_on limit 4 for update`.execute(tx);
      expect(idsOf(await createFairQueue(server.database.db).take(queue, 3))).toEqual([400_005, 400_006, 400_007]);
    });
  });
});
