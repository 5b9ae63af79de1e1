/**
 * Query plans of the statements that the server sends for lists of executions, attempts and incidents, with 50,000 rows each.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { readsOf, rowsRead, sentPlan, sentStatements, type Mode, type Plan } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // One execution with many attempts. The first is stored among those of other executions.
    await client.query(`insert into execution_attempts (execution_id, attempt, secret_hash)
      select 77, n, decode(repeat('00', 32), 'hex') from generate_series(2, 300) n`);
    await analyzeWhole(client, 'execution_attempts');
  });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

interface Case {
  request: string;
  table: string;
  index: string;
  /** The rows that the response needs, and one more to detect a next page. */
  rows: number;
}

const incidents = { table: 'incidents' };
const cases: Case[] = [
  { request: '/incidents?limit=100', ...incidents, index: 'incidents_open_index', rows: 101 },
  { request: '/incidents?limit=100&after=20000', ...incidents, index: 'incidents_open_index', rows: 101 },
  { request: '/incidents?limit=100&kind=brake', ...incidents, index: 'incidents_open_kind_index', rows: 50 },
  { request: '/incidents?limit=100&state=all', ...incidents, index: 'incidents_pk', rows: 101 },
  { request: '/incidents?limit=100&state=closed&after=40000', ...incidents, index: 'incidents_pk', rows: 103 },
  { request: '/incidents?limit=100&state=all&kind=brake', ...incidents, index: 'incidents_kind_index', rows: 100 },
  { request: '/incidents?limit=100&state=closed&kind=brake', ...incidents, index: 'incidents_kind_index', rows: 100 },
  { request: '/incidents?state=all&experiment_id=77', ...incidents, index: 'incidents_experiment_index', rows: 1 },
  {
    request: '/incidents?state=closed&kind=failed&experiment_id=77',
    ...incidents,
    index: 'incidents_experiment_index',
    rows: 1,
  },
  {
    request: '/callback_executions/77/attempts?limit=10',
    table: 'execution_attempts',
    index: 'execution_attempts_pk',
    rows: 11,
  },
  {
    request: '/callback_executions/77/attempts?limit=10&after=200',
    table: 'execution_attempts',
    index: 'execution_attempts_pk',
    rows: 11,
  },
  {
    request: '/callbacks/10',
    table: 'callback_executions',
    index: 'callback_executions_callback_index',
    // The first 1,000 rows show that the list is long. Then the whole list is read once.
    rows: 2000,
  },
];

/** The table with the experiments of queue incidents has few rows and is empty here, so a scan is right. */
const large = (plan: Plan[]) => plan.filter((node) => node['Relation Name'] !== 'incident_cohorts');

describe.each(cases)('GET $request', ({ request, table, index, rows }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s reads only the rows of ${table} that it needs, through ${index}`,
    async (mode) => {
      const statements = await sentStatements(server, request, new RegExp(`from "${table}"`));
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const reads = plans.flatMap((plan) => readsOf(plan, table));
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set([index]));
      expect(rowsRead(reads)).toBeLessThanOrEqual(rows);
      expect(large(plans.flat()).map((node) => node['Node Type'])).not.toContain('Seq Scan');
    },
  );
});
