/**
 * Query plans of lists for callers who can see only some cohorts, with 50,000 experiments. They read a limited number of rows.
 * Nine cohorts are spread evenly over the ids; the tenth has the last ids.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { sentIds } from '../../testing/measure/sent-ids.ts';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { List, Page } from '../../src/database/read-list.ts';
import { listActions } from '../../src/store/experiments/actions.ts';
import { listExecutions } from '../../src/store/runs/execution-list.ts';
import { listCallbackExecutions } from '../../src/store/runs/executions.ts';
import { listExperimentRowIds } from '../../src/store/screens/experiment-row-ids.ts';
import { listExperiments } from '../../src/store/experiments/experiments.ts';
import { listLinks } from '../../src/store/study/external-links.ts';
import { listScans } from '../../src/store/study/scans.ts';
import { scanLimit, type Scope } from '../../src/store/scope.ts';
import { completeVariables } from '../../src/store/screens/query-completions.ts';
import { searchExperiments, searchSubjects } from '../../src/store/screens/search.ts';
import { listSubjects } from '../../src/store/study/subjects.ts';
import { experimentIds } from '../../src/store/study/external-values.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // More executions than a list scans before it starts from the experiments instead.
    await client.query('update callback_executions set callback_id = 5');
    await analyzeWhole(client, 'callback_executions');
  });
});
afterAll(() => server.stop());

interface Case {
  list: (scope: Scope) => Promise<unknown>;
  /** The tables of which few rows must be read. */
  tables: string[];
  /** The maximum number of rows per cohort. */
  rows: number;
  /** Whether the list can first scan a limited number of rows of all cohorts. */
  scansFirst?: boolean;
}

const page = { limit: 100 };
const screen = { limit: 100, offset: 0, after: 0 };
const all = { ownerLabel: true, system: true };
const noNames = { ownerLabel: false, system: false };
const noFields = { experimentLabel: false, scantype: false };
/** A cohort has at most 5,334 experiments, with one action and one execution each. A list can read all of them. */
const wholeCohort = 5334;
const scanThenWhole = { rows: wholeCohort, scansFirst: true };

const cases: Record<string, Case> = {
  experiments: {
    list: (scope) => listExperiments(server.database, scope, {}, page),
    tables: ['experiments'],
    rows: 101,
  },
  'experiments in the last state': {
    list: (scope) => listExperiments(server.database, scope, { stateIds: [10] }, page),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'experiments in several states': {
    list: (scope) => listExperiments(server.database, scope, { stateIds: [4, 10] }, page),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'experiments after an offset': {
    list: (scope) => listExperiments(server.database, scope, {}, { ...page, offset: 500 }),
    tables: ['experiments'],
    rows: 601,
  },
  subjects: { list: (scope) => listSubjects(server.database, scope, {}, page), tables: ['subjects'], rows: 101 },
  'links of experiments': {
    list: (scope) => listLinks(server.database, scope, experimentIds, all, page),
    tables: ['external_experiment_links'],
    rows: 101,
  },
  scans: {
    list: (scope) => listScans(server.database, scope, { experimentLabel: true, scantype: true }, page),
    tables: ['scans'],
    rows: 101,
  },
  actions: {
    list: (scope) => listActions(server.database, scope, {}, page),
    tables: ['actions', 'experiments'],
    ...scanThenWhole,
  },
  'executions of a callback': {
    list: (scope) => listCallbackExecutions(server.database, scope, 5, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    ...scanThenWhole,
  },
  'experiments with a label': {
    list: (scope) => listExperiments(server.database, scope, { label: 'visit 77/1' }, page),
    tables: ['experiments'],
    rows: 1,
  },
  'finished executions': {
    list: (scope) => listExecutions(server.database, scope, { status: 'finished' }, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    ...scanThenWhole,
  },
  'running executions': {
    list: (scope) => listExecutions(server.database, scope, { status: 'running' }, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    rows: 500,
  },
  'executions that failed': {
    list: (scope) => listExecutions(server.database, scope, { status: 'finished', result: 'failed' }, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    rows: 1,
  },
  'variables of the latest experiments': {
    list: (scope) => completeVariables(server.database.db, scope, ''),
    tables: ['experiments'],
    rows: 500,
  },
  'experiment rows': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, {}, screen),
    tables: ['experiments'],
    rows: 101,
  },
  'experiment rows of a workflow': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { workflowId: 1 }, screen),
    tables: ['experiments'],
    rows: 101,
  },
  'experiment rows in a state that does not occur in the last cohort': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { stateId: 3 }, screen),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'experiment rows by a common label prefix': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { label: 'Visit' }, screen),
    tables: ['experiments'],
    ...scanThenWhole,
  },
  'experiment rows by a rare label prefix': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { label: 'visit 249' }, screen),
    tables: ['experiments'],
    rows: 222,
  },
  'experiment search results': {
    list: (scope) => searchExperiments(server.database.db, scope, 'visit', 20),
    tables: ['experiments'],
    ...scanThenWhole,
  },
  'subject search results': {
    list: (scope) => searchSubjects(server.database.db, scope, 'subject', 20),
    tables: ['subjects'],
    ...scanThenWhole,
  },
  'experiment rows of a cohort outside the scope': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { cohortId: 2 }, screen),
    tables: ['experiments'],
    rows: 0,
  },
};

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const scopes = [[3], [10], [3, 10]];

describe.each(Object.entries(cases))('a list of %s', (_name, { list, tables, rows, scansFirst = false }) => {
  it.each(modes.flatMap((mode) => scopes.map((ids) => [ids, mode] as const)))(
    'for a caller who can see only the cohorts %j reads a limited number of rows with %s',
    async (ids, mode) => {
      const statements = await statementsDuring(
        () => list({ kind: 'cohorts', ids }),
        /from "?(experiments|subjects|scans|actions|callback_executions|external_experiment_links)"?/,
      );
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const most = Math.max(rows * ids.length, scansFirst ? scanLimit + 1 : 0);
      for (const table of tables) {
        const reads = plans.flatMap((plan) => readsOf(plan, table));
        expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        expect(rowsRead(reads), `${table} of ${JSON.stringify(reads)}`).toBeLessThanOrEqual(most);
      }
    },
  );
});

interface LongCase {
  list: (scope: Scope, page: Page) => Promise<List<{ id: number }>>;
  tables: string[];
}

const longCases: Record<string, LongCase> = {
  experiments: {
    list: (scope, asked) => listExperiments(server.database, scope, {}, asked),
    tables: ['experiments'],
  },
  'experiments in all states': {
    list: (scope, asked) => listExperiments(server.database, scope, { stateIds: [3, 4, 10] }, asked),
    tables: ['experiments'],
  },
  scans: {
    list: (scope, asked) => listScans(server.database, scope, { experimentLabel: true, scantype: false }, asked),
    tables: ['scans', 'experiments'],
  },
  actions: {
    list: (scope, asked) => listActions(server.database, scope, {}, asked),
    tables: ['actions', 'experiments'],
  },
  executions: {
    list: (scope, asked) => listCallbackExecutions(server.database, scope, 5, asked),
    tables: ['callback_executions', 'actions', 'experiments'],
  },
};

/** Cohorts and pages, without a limit or with one above the page size held in memory. */
const longPages: [number[], Page][] = [
  [[10], {}],
  [[3, 10], {}],
  [[3, 10], { offset: 5400 }],
  [[3, 4], { limit: 10_500 }],
  [[3, 4], { limit: 10_500, offset: 100 }],
  [[3, 4], { limit: 10_500, after: 1500 }],
  [[3, 4], { limit: 10_666 }],
  [[3, 4], { limit: 10_667 }],
];

describe.each(Object.entries(longCases))('a long list of %s', (_name, { list, tables }) => {
  it.each(longPages)(
    'in the cohorts %j is complete and in order for the page %j, and has the right next cursor',
    async (ids, asked) => {
      // Each experiment has one row in every table, inserted in the same order.
      const seen = await server.sql<{ id: number }>(
        'select id::integer from experiments where cohort_id = any($1) and id > $2 order by id',
        [ids, asked.after ?? 0],
      );
      const [from, limit] = [asked.offset ?? 0, asked.limit ?? seen.length];
      const expected = seen.slice(from, from + limit).map(({ id }) => id);
      const read = await list({ kind: 'cohorts', ids }, asked);
      expect(await sentIds(read)).toEqual(expected);
      expect(read.next()).toBe(from + limit < seen.length ? expected.at(-1) : undefined);
    },
  );

  it('in the last cohort reads only a limited number of rows', async () => {
    const statements = await statementsDuring(
      async () => sentIds(await list({ kind: 'cohorts', ids: [10] }, {})),
      /from "?(experiments|scans|actions|callback_executions)"?/,
    );
    const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_custom_plan')));
    for (const table of tables) {
      const reads = plans.map((plan) => rowsRead(readsOf(plan, table)));
      // Two passes, over the first part and over the whole list. Each scans, sorts all 2,000 rows and reads them.
      expect(reads.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(2 * scanLimit + 5 * 2000);
    }
  });
});

describe.each<[string, (page: Page) => Promise<unknown>]>([
  ['experiments', (asked) => listExperiments(server.database, { kind: 'cohorts', ids: [3] }, {}, asked)],
  ['subjects', (asked) => listSubjects(server.database, { kind: 'cohorts', ids: [3] }, {}, asked)],
  ['scans', (asked) => listScans(server.database, { kind: 'cohorts', ids: [3] }, noFields, asked)],
  ['external IDs', (asked) => listLinks(server.database, { kind: 'cohorts', ids: [3] }, experimentIds, noNames, asked)],
  ['experiments in a state', (asked) => listExperiments(server.database, { kind: 'all' }, { stateIds: [3] }, asked)],
])('a deep page of %s', (_name, list) => {
  const blocksFor = async (asked: Page) => {
    const [statement, ...others] = await statementsDuring(() => list(asked), /from "/);
    expect(others).toEqual([]);
    const [root] = await sentPlan(server, statement ?? { text: '', values: [] }, 'force_generic_plan');
    return (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);
  };

  it('starts where it begins, not at the first row of the cohort or state', async () => {
    expect(await blocksFor({ limit: 10, after: 45_000 })).toBeLessThanOrEqual((await blocksFor({ limit: 10 })) + 5);
  });
});

it('a list of experiments for a caller who can see all cohorts reads no extra rows', async () => {
  const statements = await statementsDuring(
    () => listExperiments(server.database, { kind: 'all' }, { stateIds: [5] }, page),
    /from "experiments"/,
  );
  const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_generic_plan')));
  expect(rowsRead(plans.flatMap((plan) => readsOf(plan, 'experiments')))).toBeLessThanOrEqual(101);
});
