/**
 * Query plans of the statements that start attempts, with 50,000 experiments: for a program that claims runs over HTTP, together with
 * taking their jobs, and for our own worker, whose jobs are taken before.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../testing/engine-context.ts';
import { rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';
import type { Db, Tx } from '../../src/database/connection.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { claimExecutions } from '../../src/engine/runs/claim-executions.ts';
import { startAttempts } from '../../src/engine/runs/start-attempts.ts';
import { ensureQueues, insertJobs } from '../../src/jobs/insert-jobs.ts';
import { priorities } from '../../src/jobs/priorities.ts';
import { callbackQueue } from '../../src/jobs/queue-names.ts';

let server: TestServer;
let queued: number[];
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  const { db } = server.database;
  await ensureQueues([callbackQueue]).execute(db);
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(`delete from execution_attempts using callback_executions
      where execution_id = id and status = 'queued'`);
    const { rows } = await client.query<{ id: number }>(
      `select id::int from callback_executions where status = 'queued' order by id`,
    );
    queued = rows.map(({ id }) => id);
    // The second half of these executions have no job, so that only the tests of our own worker start them.
    await insertJobs(sql`
      select id, ${callbackQueue}, 1::bigint, false, now() - interval '1 hour' + id * interval '1 millisecond', 0
      from unnest(${queued.slice(0, 250)}::bigint[]) as id
      union all
      select 1000000 + n, ${callbackQueue}, 2::bigint, true, now(), 0 from generate_series(1, 5000) as n`).execute(db);
    await client.query(`insert into experiment_variables (experiment_id, name, value)
      select id, 'motion', '0.4' from experiments`);
    for (const table of ['pgboss.job_common', 'execution_attempts', 'experiment_variables'])
      await analyzeWhole(client, table);
  });
  // The planner expects a backlog of 20 million jobs, because it estimates rows from their number in each page.
  await withClient(server.testDatabase.superuserUrl, (client) =>
    client.query(`update pg_class set reltuples = 20000000 where oid = 'pgboss.job_common'::regclass`),
  );
});
afterAll(() => server.stop());

const contextOf = (db: Db) => ({ ...engineContext(server, 'runCallback'), db });

const claim = (db: Db, most: number) =>
  claimExecutions(contextOf(db), 'w', async (statement) => {
    await statement({ queue: callbackQueue, most, highestPriority: priorities.single, lastWorkflows: [] });
  });

const start = (db: Db, most: number) => startAttempts(contextOf(db), queued.splice(250, most), 'w');

async function rolledBack(run: (tx: Tx) => Promise<unknown>): Promise<void> {
  const undo = new Error('undo');
  const undone = inTransaction(server.database.db, async (tx) => {
    await run(tx);
    throw undo;
  });
  await expect(undone).rejects.toBe(undo);
}

const countAttempts = async () =>
  (await server.sql<{ count: number }>('select count(*)::int from execution_attempts'))[0]?.count ?? 0;

const small = new Set(['cohorts', 'external_systems', 'workflows', 'callback_versions', 'incident_cohorts']);

describe.each([
  ['takes jobs and starts their attempts', claim, 'placed as materialized'],
  ['starts the attempts of a worker', start, '"given" as materialized'],
])('the statement that %s', (_what, run, mark) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    'reads only the rows of the attempts and no table as a whole, with %s',
    async (mode) => {
      const [statement = { text: '', values: [] }] = await statementsDuring(
        () => rolledBack((tx) => run(tx, 20)),
        new RegExp(`${mark}[^]*started as`),
      );
      const before = await countAttempts();
      const plan = (await sentPlan(server, statement, mode)).filter((node) => !small.has(node['Relation Name'] ?? ''));
      expect(await countAttempts()).toBe(before + 20);
      expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(rowsRead(plan.filter((node) => node['Relation Name'] !== undefined))).toBeLessThanOrEqual(20);
    },
  );

  it('is planned for the first five executions only', async () => {
    await inTransaction(server.database.db, async (tx) => {
      for (let times = 1; times <= 12; times++) expect(await run(tx, 1)).toHaveLength(1);
      const { rows } = await sql<{ custom_plans: number }>`
        select custom_plans from pg_prepared_statements
        where statement like ${`%${mark}%`} and statement like '%started as%' and custom_plans > 0`.execute(tx);
      expect(rows).toEqual([{ custom_plans: 5 }]);
    });
  });
});
