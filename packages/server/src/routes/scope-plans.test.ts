/**
 * The plans of lists for those who may see some cohorts only, over 50,000 experiments: they read what the cohorts have, and not
 * what there is. Nine cohorts lie evenly among the ids; the tenth came late.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyRows } from '../../testing/many-rows.ts';
import { withClient } from '../../testing/postgres.ts';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { listActions } from '../store/actions.ts';
import { listCallbackExecutions } from '../store/executions.ts';
import { listExperimentRowIds } from '../store/experiment-row-ids.ts';
import { listExperiments } from '../store/experiments.ts';
import { listLinks } from '../store/external-links.ts';
import { listScans } from '../store/scans.ts';
import type { Scope } from '../store/scope.ts';
import { listSubjects } from '../store/subjects.ts';
import { experimentIds } from '../store/system-texts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(manyRows);
    // Looks at every row, so that chance has no part in the plans.
    await client.query('set default_statistics_target = 1000');
    await client.query('vacuum analyze');
  });
}, 300_000);
afterAll(() => server.stop());

interface Case {
  list: (scope: Scope) => Promise<unknown>;
  /** What must be read little of. */
  tables: string[];
  /** As many of its rows as one cohort may cost; several cost as much each. */
  rows: number;
}

const page = { limit: 100 };
const screen = { limit: 100, offset: 0, after: 0 };
const all = { ownerLabel: true, system: true };
/** Actions and executions know no cohort: those of all its experiments are sorted. A cohort has 5,334 at most. */
const wholeCohort = 5334;

const cases: Record<string, Case> = {
  experiments: {
    list: (scope) => listExperiments(server.database, scope, {}, page),
    tables: ['experiments'],
    rows: 101,
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
    rows: wholeCohort,
  },
  'executions of a callback': {
    list: (scope) => listCallbackExecutions(server.database, scope, 5, page),
    tables: ['callback_executions', 'actions', 'experiments'],
    rows: wholeCohort,
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
  'rows of a cohort that the caller does not see': {
    list: (scope) => listExperimentRowIds(server.database.db, scope, { cohortId: 2 }, screen),
    tables: ['experiments'],
    rows: 0,
  },
};

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const scopes = [[3], [10], [3, 10]];

describe.each(Object.entries(cases))('%s', (_name, { list, tables, rows }) => {
  it.each(modes.flatMap((mode) => scopes.map((ids) => [ids, mode] as const)))(
    'for somebody who may see the cohorts %j, with %s, read no more than those have',
    async (ids, mode) => {
      const statements = await statementsDuring(
        () => list({ kind: 'cohorts', ids }),
        /from "?(experiments|subjects|scans|actions|callback_executions|external_experiment_links)"?/,
      );
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      for (const table of tables) {
        const reads = plans.flatMap((plan) => readsOf(plan, table));
        expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        expect(rowsRead(reads), `${table} of ${JSON.stringify(reads)}`).toBeLessThanOrEqual(rows * ids.length);
      }
    },
  );
});

it('what is not limited by cohorts is not slowed down by it', async () => {
  const statements = await statementsDuring(
    () => listExperiments(server.database, { kind: 'all' }, { stateIds: [5] }, page),
    /from "experiments"/,
  );
  const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_generic_plan')));
  expect(rowsRead(plans.flatMap((plan) => readsOf(plan, 'experiments')))).toBeLessThanOrEqual(101);
});
