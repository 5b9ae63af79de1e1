/**
 * Query plans of lists: statements are captured from real requests, with their values, and planned with 50,000 subjects. A
 * connection uses custom plans first and may switch to a generic plan, so both are checked.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import {
  readsOf,
  rowsRead,
  sentPlan,
  sentStatements,
  type Mode,
  type Statement,
} from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.sql(`insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n`);
  // Nine cohorts are spread evenly over the ids. The tenth has the last 4 % of them, like a new cohort.
  await server.sql(`insert into subjects (cohort_id, label)
    select case when n > 48000 then 10 else 1 + n % 9 end, 'subject ' || n from generate_series(1, 50000) n`);
  await withClient(server.testDatabase.ownerUrl, (client) => analyzeWhole(client));
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const statementsOf = (path: string) => sentStatements(server, path, /from "(subjects|cohorts)"/);
const planOf = (statement: Statement, mode: Mode) => sentPlan(server, statement, mode);

interface Case {
  request: string;
  index: string;
  /** The subjects that the response needs, and one more to detect a next page. */
  rows: number;
  /** Skipped rows are counted in the index only. */
  skips?: boolean;
}

const inCohort = 'subjects_cohort_index';
const cases: Case[] = [
  { request: '/cohorts/cohort%2010/subjects?limit=100', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%2010/subjects?limit=100&after=48500', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100&after=20000', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100&offset=5000', index: inCohort, rows: 5000, skips: true },
  { request: '/cohorts/cohort%203/subjects?limit=100&offset=1000000', index: inCohort, rows: 5334 },
  { request: '/subjects?cohort_label=cohort%2010&limit=100', index: inCohort, rows: 101 },
  { request: '/subjects?cohort_label=cohort%203&limit=100&offset=5000', index: inCohort, rows: 5000, skips: true },
  { request: '/subjects?limit=100', index: 'subjects_pk', rows: 101 },
  { request: '/subjects?limit=100&after=49000', index: 'subjects_pk', rows: 101 },
  { request: '/subjects?limit=100&offset=49000', index: 'subjects_pk', rows: 49_000, skips: true },
  { request: '/cohorts/cohort%203/subjects/subject%2020', index: 'subjects_cohort_label_index', rows: 1 },
];

describe.each(cases)('GET $request', ({ request, index, rows, skips = false }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s reads only the subjects that it needs, through ${index}`,
    async (mode) => {
      const statements = await statementsOf(request);
      const plans = await Promise.all(statements.map((statement) => planOf(statement, mode)));
      const reads = plans.flatMap((plan) => readsOf(plan, 'subjects'));
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set([index]));
      expect(rowsRead(reads)).toBeLessThanOrEqual(rows);
      // A separate statement finds the last skipped row, and the page is read from there.
      expect(reads).toHaveLength(skips ? 2 : 1);
      if (skips) expect(rowsRead(reads.slice(1))).toBeLessThanOrEqual(101);
    },
  );
});

describe('GET /cohorts/by-label/{label}', () => {
  it('reads one of many cohorts through the label index', async () => {
    await server.sql(`insert into cohorts (label) select 'study ' || n from generate_series(1, 20000) n`);
    await server.sql('vacuum analyze cohorts');
    const [statement] = await statementsOf('/cohorts/by-label/study%20777');
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const reads = readsOf(await planOf(statement ?? { text: '', values: [] }, mode), 'cohorts');
      expect(reads.map((node) => node['Index Name'])).toEqual(['cohorts_label_unique']);
      expect(rowsRead(reads)).toBe(1);
    }
  });
});

describe('a page of more than 10,000 rows', () => {
  it('finds the start of the next page with an index-only scan', async () => {
    const statements = await statementsOf('/subjects?limit=20000&after=1000');
    const boundary = statements.filter(({ text }) => text.startsWith('select "subjects"."id" as "id"'));
    expect(boundary).toHaveLength(1);
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const reads = (await Promise.all(boundary.map((one) => planOf(one, mode)))).flat();
      expect(readsOf(reads, 'subjects')).toMatchObject([
        { 'Node Type': 'Index Only Scan', 'Index Name': 'subjects_pk' },
      ]);
    }
  });
});
