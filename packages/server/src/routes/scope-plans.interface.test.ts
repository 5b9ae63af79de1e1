/**
 * The plans of lists for those who may see some cohorts only, over 50,000 experiments: they read what the cohorts have, and not
 * what there is. Nine cohorts lie evenly among the ids; the tenth came late.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/many-rows.ts';
import { withClient } from '../../testing/postgres.ts';
import { sentIds } from '../../testing/sent-ids.ts';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { List, Page } from '../database/read-list.ts';
import { listActions } from '../store/actions.ts';
import { listCallbackExecutions } from '../store/executions.ts';
import { listExperimentRowIds } from '../store/experiment-row-ids.ts';
import { listExperiments } from '../store/experiments.ts';
import { listLinks } from '../store/external-links.ts';
import { listScans } from '../store/scans.ts';
import { looks, type Scope } from '../store/scope.ts';
import { searchExperiments, searchSubjects } from '../store/search.ts';
import { listSubjects } from '../store/subjects.ts';
import { experimentIds } from '../store/system-texts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // More than are looked at before the experiments lead.
    await client.query('update callback_executions set callback_id = 5');
    await analyzeWhole(client, 'callback_executions');
  });
});
afterAll(() => server.stop());

interface Case {
  list: (scope: Scope) => Promise<unknown>;
  /** What must be read little of. */
  tables: string[];
  /** As many of its rows as one cohort may cost; several cost as much each. */
  rows: number;
  /** It may look around among the rows of all cohorts before, and see whether there are more. */
  looksAround?: boolean;
}

const page = { limit: 100 };
const screen = { limit: 100, offset: 0, after: 0 };
const all = { ownerLabel: true, system: true };
/** For what is rare in it, or in no order of its own: a cohort has 5,334 experiments at most, with an action and an execution each. */
const wholeCohort = 5334;
const thenWhole = { rows: wholeCohort, looksAround: true };

const cases: Record<string, Case> = {
  experiments: {
    list: (scope) => listExperiments(server.database, scope, {}, page),
    tables: ['experiments'],
    rows: 101,
  },
  'experiments of the state that came late': {
    list: (scope) => listExperiments(server.database, scope, { stateIds: [10] }, page),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'experiments of several states': {
    list: (scope) => listExperiments(server.database, scope, { stateIds: [4, 10] }, page),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'experiments behind an offset': {
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
    ...thenWhole,
  },
  'executions of a callback': {
    list: (scope) => listCallbackExecutions(server.database, scope, 5, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    ...thenWhole,
  },
  'rows of experiments': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, {}, screen),
    tables: ['experiments'],
    rows: 101,
  },
  'rows of a workflow': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { workflowId: 1 }, screen),
    tables: ['experiments'],
    rows: 101,
  },
  'rows of a state that the late cohort has none of': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { stateId: 3 }, screen),
    tables: ['experiments'],
    rows: wholeCohort,
  },
  'rows by the beginning of all labels': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { label: 'Visit' }, screen),
    tables: ['experiments'],
    ...thenWhole,
  },
  'rows by the beginning of few labels': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { label: 'visit 249' }, screen),
    tables: ['experiments'],
    rows: 222,
  },
  'the search for experiments': {
    list: (scope) => searchExperiments(server.database.db, scope, 'visit', 20),
    tables: ['experiments'],
    ...thenWhole,
  },
  'the search for subjects': {
    list: (scope) => searchSubjects(server.database.db, scope, 'subject', 20),
    tables: ['subjects'],
    ...thenWhole,
  },
  'rows of a cohort that the caller does not see': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { cohortId: 2 }, screen),
    tables: ['experiments'],
    rows: 0,
  },
};

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const scopes = [[3], [10], [3, 10]];

describe.each(Object.entries(cases))('%s', (_name, { list, tables, rows, looksAround = false }) => {
  it.each(modes.flatMap((mode) => scopes.map((ids) => [ids, mode] as const)))(
    'for somebody who may see the cohorts %j, with %s, read no more than those have',
    async (ids, mode) => {
      const statements = await statementsDuring(
        () => list({ kind: 'cohorts', ids }),
        /from "?(experiments|subjects|scans|actions|callback_executions|external_experiment_links)"?/,
      );
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const most = Math.max(rows * ids.length, looksAround ? looks + 1 : 0);
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
  'experiments of all states': {
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

/** Which cohorts, and the page: without a limit, or with one above that of pages that are held in memory. */
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
  it.each(longPages)('of the cohorts %j with %j is whole, in order, and knows its next page', async (ids, asked) => {
    // Each experiment has one of everything, made in the same order.
    const seen = await server.sql<{ id: number }>(
      'select id::integer from experiments where cohort_id = any($1) and id > $2 order by id',
      [ids, asked.after ?? 0],
    );
    const [from, limit] = [asked.offset ?? 0, asked.limit ?? seen.length];
    const expected = seen.slice(from, from + limit).map(({ id }) => id);
    const read = await list({ kind: 'cohorts', ids }, asked);
    expect(await sentIds(read)).toEqual(expected);
    expect(read.next()).toBe(from + limit < seen.length ? expected.at(-1) : undefined);
  });

  it('of a cohort that came late reads what the cohort has, a few times', async () => {
    const statements = await statementsDuring(
      async () => sentIds(await list({ kind: 'cohorts', ids: [10] }, {})),
      /from "?(experiments|scans|actions|callback_executions)"?/,
    );
    const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_custom_plan')));
    for (const table of tables) {
      const reads = plans.map((plan) => rowsRead(readsOf(plan, table)));
      // The beginning that tells that it is long, and the whole: for each a look around, all 2,000 to sort, and the rows themselves.
      expect(reads.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(2 * looks + 5 * 2000);
    }
  });
});

it('what is not limited by cohorts is not slowed down by it', async () => {
  const statements = await statementsDuring(
    () => listExperiments(server.database, { kind: 'all' }, { stateIds: [5] }, page),
    /from "experiments"/,
  );
  const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_generic_plan')));
  expect(rowsRead(plans.flatMap((plan) => readsOf(plan, 'experiments')))).toBeLessThanOrEqual(101);
});
