/**
 * Query plans of the statements that the server sends for lists of links and scans, and for references, with 50,000 rows each.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import {
  readsOf,
  rowsRead,
  sentPlan,
  sentStatements,
  statementsDuring,
  type Mode,
  type Statement,
} from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { listLinks } from '../../src/store/study/external-links.ts';
import { findReferencedExperiments, findReferencedSubjects } from '../../src/store/reference-candidates.ts';
import { listScans } from '../../src/store/study/scans.ts';
import { allCohorts, type Scope } from '../../src/store/scope.ts';
import { experimentIds, subjectIds } from '../../src/store/study/external-values.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // A common label, such as that of every subject's first visit.
    await client.query(`update experiments set label = 'baseline' where id % 2 = 0`);
    await analyzeWhole(client, 'experiments');
  });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];

async function expectReads(
  statements: Statement[],
  table: string,
  wanted: { index: string; or?: string; rows: number; mode: Mode },
) {
  const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, wanted.mode)));
  const reads = plans.flatMap((plan) => readsOf(plan, table));
  const used = new Set(reads.map((node) => node['Index Name']));
  expect([...used]).toEqual([used.has(wanted.or ?? '') ? wanted.or : wanted.index]);
  expect(rowsRead(reads)).toBeLessThanOrEqual(wanted.rows);
  return plans.flat().map((node) => node['Node Type']);
}

describe.each(['external_subject_links', 'external_experiment_links', 'scans'])('GET /%s', (table) => {
  describe.each(['limit=100', 'limit=100&after=24000'])('with %s', (query) => {
    it.each(modes)('and %s reads the page in id order without sorting', async (mode) => {
      const statements = await sentStatements(server, `/${table}?${query}`, new RegExp(`from "${table}"`));
      expect(statements).toHaveLength(1);
      const nodes = await expectReads(statements, table, { index: `${table}_pk`, rows: 101, mode });
      expect(nodes).not.toContain('Sort');
    });
  });
});

describe.each(['external_subject_links', 'external_experiment_links', 'scans'])(
  'GET /%s with a large offset',
  (table) => {
    it.each(modes)('and %s does not read other tables for skipped rows', async (mode) => {
      const statements = await sentStatements(
        server,
        `/${table}?limit=100&offset=20000`,
        new RegExp(`from "${table}"`),
      );
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const others = plans
        .flat()
        .filter((node) => node['Relation Name'] !== undefined && node['Relation Name'] !== table);
      expect(others.length).toBeGreaterThan(0);
      expect(rowsRead(others)).toBeLessThanOrEqual(101);
    });
  },
);

const wantedOfScans = { experimentLabel: true, scantype: true };
const wantedOfLinks = { ownerLabel: true, system: true };
const lists: Record<string, (scope: Scope) => Promise<unknown>> = {
  external_subject_links: (scope) => listLinks(server.database, scope, subjectIds, wantedOfLinks, { limit: 100 }),
  external_experiment_links: (scope) => listLinks(server.database, scope, experimentIds, wantedOfLinks, { limit: 100 }),
  scans: (scope) => listScans(server.database, scope, wantedOfScans, { limit: 100 }),
};

describe.each(Object.entries(lists))('a page of %s', (table, list) => {
  // The ids of cohort 3 are spread evenly. Cohort 10 has the last ids.
  it.each(modes.flatMap((mode) => [3, 10].map((cohort) => [cohort, mode] as const)))(
    'for a caller who can see only cohort %i uses the cohort index with %s',
    async (cohort, mode) => {
      const scope: Scope = { kind: 'cohorts', ids: [cohort] };
      const statements = await statementsDuring(() => list(scope), new RegExp(`from "${table}"`));
      expect(statements).toHaveLength(1);
      const nodes = await expectReads(statements, table, { index: `${table}_cohort_index`, rows: 101, mode });
      expect(nodes).not.toContain('Sort');
    },
  );
});

const references = { experiments: findReferencedExperiments, subjects: findReferencedSubjects };

describe.each([
  ['experiments', 'visit 77/1', 1, 'experiments_label_index', undefined],
  // Every second experiment has this label, so the planner can also find 21 of them among the first 42 ids.
  ['experiments', 'baseline', 42, 'experiments_label_index', 'experiments_pk'],
  ['subjects', 'subject 77', 1, 'subjects_label_unique', undefined],
] as const)('a reference to %s with the label %s', (table, label, rows, index, or) => {
  it.each(modes)('reads only a few rows, through an index, with %s', async (mode) => {
    const find = () => references[table](server.database.db, allCohorts, [{ label }]);
    const statements = await statementsDuring(find, new RegExp(`from "${table}"`));
    expect(statements).toHaveLength(1);
    await expectReads(statements, table, { index, ...(or && { or }), rows, mode });
  });
});
