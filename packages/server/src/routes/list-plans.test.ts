/**
 * The plans of what the server really sends: statements are taken from real requests, with their values, and planned over
 * 50,000 subjects. A connection plans a statement anew at first and may keep a plan for any values after that, so both
 * are looked at.
 */
import pg from 'pg';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withClient } from '../../testing/postgres.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.sql(`insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n`);
  // Nine cohorts lie evenly among the ids; the tenth came late and has the last 4 % of them, as a new one has.
  await server.sql(`insert into subjects (cohort_id, label)
    select case when n > 48000 then 10 else 1 + n % 9 end, 'subject ' || n from generate_series(1, 50000) n`);
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // Looks at every row, so that chance has no part in the plans.
    await client.query('set default_statistics_target = 1000');
    await client.query('vacuum analyze');
  });
  // Signs in, so that the statements of sign-in are not among those that are looked at.
  await server.call('listCohorts');
}, 60_000);
afterAll(() => server.stop());

interface Statement {
  text: string;
  values: unknown[];
}

/** What a request sends of subjects or cohorts. */
async function statementsOf(path: string): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const headers = { authorization: basic('admin', testPassword) };
  const response = await fetch(server.baseUrl + path, { headers });
  await response.text();
  const sent = query.mock.calls.map(([given, values]: unknown[]): Statement =>
    typeof given === 'string'
      ? { text: given, values: (values as unknown[]) ?? [] }
      : { values: [], ...(given as { text: string }) },
  );
  query.mockRestore();
  expect(response.status).toBe(200);
  return sent.filter(({ text }) => /from "(subjects|cohorts)"/.test(text));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

type Mode = 'force_custom_plan' | 'force_generic_plan';

/** Runs it as the owner, prepared as the server's driver prepares it. */
function planOf({ text, values }: Statement, mode: Mode): Promise<Plan[]> {
  return withClient(server.testDatabase.ownerUrl, async (client) => {
    const select = text.replace(/^declare .*? for (?=select)/, '');
    await client.query(`set plan_cache_mode = ${mode}`);
    // Of a cohort as small as here a bitmap costs the same as the walk, and chance decides; of a large one it never does.
    await client.query('set enable_bitmapscan = off');
    await client.query(`prepare sent as ${select}`);
    const given =
      values.length === 0 ? '' : `(${values.map((value) => client.escapeLiteral(String(value))).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, timing off, format json) execute sent${given}`,
    );
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodes(Plan));
  });
}

const readsOf = (plan: Plan[], table: string) => plan.filter((node) => node['Relation Name'] === table);
const rowsRead = (plan: Plan[]) =>
  Math.max(
    0,
    ...plan.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']),
  );

interface Case {
  request: string;
  index: string;
  /** The subjects that the answer needs, and one to see whether there is a next page. */
  rows: number;
  /** Rows that are skipped are counted in the index alone. */
  skips?: boolean;
}

const inCohort = 'subjects_cohort_index';
const cases: Case[] = [
  { request: '/cohorts/cohort%2010/subjects?limit=100', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%2010/subjects?limit=100&after=48500', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100&after=20000', index: inCohort, rows: 101 },
  { request: '/cohorts/cohort%203/subjects?limit=100&offset=5000', index: inCohort, rows: 5000, skips: true },
  { request: '/cohorts/cohort%203/subjects?limit=100&offset=1000000', index: inCohort, rows: 5334, skips: true },
  { request: '/subjects?cohort_label=cohort%2010&limit=100', index: inCohort, rows: 101 },
  { request: '/subjects?cohort_label=cohort%203&limit=100&offset=5000', index: inCohort, rows: 5000, skips: true },
  { request: '/subjects?limit=100', index: 'subjects_pk', rows: 101 },
  { request: '/subjects?limit=100&after=49000', index: 'subjects_pk', rows: 101 },
  { request: '/subjects?limit=100&offset=49000', index: 'subjects_pk', rows: 49_000, skips: true },
  { request: '/cohorts/cohort%203/subjects/subject%2020', index: 'subjects_label_unique', rows: 1 },
];

describe.each(cases)('GET $request', ({ request, index, rows, skips = false }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s reads subjects by ${index}, and no more than it needs`,
    async (mode) => {
      const statements = await statementsOf(request);
      const plans = await Promise.all(statements.map((statement) => planOf(statement, mode)));
      const reads = plans.flatMap((plan) => readsOf(plan, 'subjects'));
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set([index]));
      expect(rowsRead(reads)).toBeLessThanOrEqual(rows);
      // The last row to skip is found first, by a plan of its own; the page itself is read from there.
      expect(reads).toHaveLength(skips ? 2 : 1);
      expect(Math.min(...reads.map((node) => rowsRead([node])))).toBeLessThanOrEqual(101);
    },
  );
});

describe('GET /cohorts/{label}', () => {
  it('reads the cohort by its label, also among many', async () => {
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
  it('finds where the next one begins in the index alone', async () => {
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
