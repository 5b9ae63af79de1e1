/**
 * Query plans of the statements that the server sends for experiments by workflow, cohort and label and for executions by status
 * and result, with 50,000 rows each. Half of the experiments have the same label. The executions that failed, timed out or were
 * skipped are few and have the last ids, which a scan along the ids would find last.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(`update experiments set label = 'baseline', version = version + 1 where id % 2 = 0`);
    await client.query(`update callback_executions set result = case when id % 2 = 0 then 'failed' else 'timeout' end
      where id > 49500 and status = 'finished'`);
    await client.query(`update callback_executions set status = 'skipped', result = 'none'
      where id between 49001 and 49200 and status = 'finished'`);
    await analyzeWhole(client, 'experiments');
    await analyzeWhole(client, 'callback_executions');
  });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

interface Case {
  request: string;
  index: string;
  /** The maximum number of rows that one node of a plan reads. */
  rows: number;
}

const page = 'limit=100';
/** A filter beside the label checks this many experiments with the label in one statement. */
const scanned = 10_000;
const cases: Case[] = [
  // A page of each of the ten states of the workflow.
  { request: `/experiments?${page}&workflow_label=brain`, index: 'experiments_state_index', rows: 1010 },
  { request: `/experiments?${page}&workflow_label=brain&after=40000`, index: 'experiments_state_index', rows: 1010 },
  {
    request: `/experiments?${page}&workflow_label=brain&state=state%2010`,
    index: 'experiments_state_index',
    rows: 101,
  },
  { request: `/experiments?${page}&cohort_label=cohort%2010`, index: 'experiments_cohort_unique', rows: 101 },
  {
    request: `/experiments?${page}&cohort_label=cohort%2010&workflow_label=brain`,
    index: 'experiments_cohort_unique',
    rows: 5000,
  },
  { request: `/experiments?${page}&label=visit%2077%2F1`, index: 'experiments_label_index', rows: 1 },
  { request: `/experiments?${page}&label=baseline`, index: 'experiments_label_index', rows: 101 },
  { request: `/experiments?${page}&label=baseline&after=30000`, index: 'experiments_label_index', rows: 101 },
  {
    request: `/experiments?${page}&label=baseline&cohort_label=cohort%2010`,
    index: 'experiments_cohort_unique',
    rows: scanned,
  },
  { request: `/callback_executions?${page}`, index: 'callback_executions_pk', rows: 101 },
  { request: `/callback_executions?${page}&status=finished`, index: 'callback_executions_pk', rows: 104 },
  { request: `/callback_executions?${page}&result=success&after=30000`, index: 'callback_executions_pk', rows: 104 },
  { request: `/callback_executions?${page}&result=failed`, index: 'callback_executions_result_index', rows: 101 },
  { request: `/callback_executions?${page}&result=timeout`, index: 'callback_executions_result_index', rows: 101 },
  {
    request: `/callback_executions?${page}&result=timeout&after=49700`,
    index: 'callback_executions_result_index',
    rows: 101,
  },
  { request: `/callback_executions?${page}&status=skipped`, index: 'callback_executions_result_index', rows: 101 },
  { request: `/callback_executions?${page}&result=none`, index: 'callback_executions_result_index', rows: 101 },
  { request: `/callback_executions?${page}&status=running`, index: 'callback_executions_open_index', rows: 101 },
  // 500 run, none of them with this result yet.
  {
    request: `/callback_executions?${page}&status=running&result=failed`,
    index: 'callback_executions_open_index',
    rows: 500,
  },
  // All of the 500 are sorted.
  { request: `/callback_executions?${page}&status=queued`, index: 'callback_executions_unclaimed_index', rows: 500 },
];

const large = new Set(['experiments', 'actions', 'callback_executions']);
const statementsOf = (request: string) => sentStatements(server, request, /from "?(experiments|callback_executions)"?/);

describe.each(cases)('GET $request', ({ request, index, rows }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s uses ${index} and reads no more rows than it needs`,
    async (mode) => {
      const statements = await statementsOf(request);
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const reads = plans.flat().filter((node) => large.has(node['Relation Name'] ?? ''));
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(plans.flat().map((node) => node['Index Name'])).toContain(index);
      const widest = reads.map((node) => [rowsRead([node]), node['Relation Name'], node['Index Name']]);
      expect(widest.filter(([read]) => Number(read) > rows)).toEqual([]);
    },
  );
});
