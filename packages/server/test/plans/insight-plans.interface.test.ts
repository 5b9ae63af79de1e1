/**
 * Query plans of Insights, with 50,000 experiments that have moved: what is counted is read by transition and day, and of actions only the
 * most recent moves out of a state.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readsOf,
  rowsRead,
  sentPlan,
  sentStatements,
  statementsDuring,
  type Mode,
  type Plan,
} from '../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { countAllInsights } from '../../testing/count-insights.ts';
import { countExperiments } from '../../src/store/insights/count-experiments.ts';
import { countRuns, countRunsOf, subtractRunsOf } from '../../src/store/insights/count-runs.ts';
import { inTransaction } from '../../src/database/transaction.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(`insert into actions (experiment_id, sequence, transition_id, start_time, actor_kind, actor_id)
      select id, 2, 1 + id % 10, now() - id * interval '1 second', 'user', 1 from experiments order by id`);
    await client.query(`insert into experiment_variables (experiment_id, name, value)
      select id, 'site', to_jsonb('site ' || id % 7) from experiments`);
    await client.query(`update callback_executions set result = 'failed' where status = 'finished' and id % 20 = 3`);
    await client.query(`update states set decision = '{}' where id = 3`);
    await analyzeWhole(client);
  });
  await countAllInsights(server.database.db);
  await withClient(server.testDatabase.ownerUrl, (client) => analyzeWhole(client));
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const growing = ['actions', 'experiments', 'callback_executions', 'insight_runs', 'incidents'];
const counted = ['insight_moves', 'insight_levels', 'insight_stays', 'insight_causes'];

const read = (plan: Plan[], tables: readonly string[]) => tables.flatMap((table) => readsOf(plan, table));

async function plansOf(path: string, wanted: RegExp, mode: Mode): Promise<Plan[][]> {
  const plans: Plan[][] = [];
  for (const statement of await sentStatements(server, path, wanted))
    plans.push(await sentPlan(server, statement, mode));
  return plans;
}

describe.each(modes)('a request for insights with %s', (mode) => {
  it.each(['', '&cohort_id=3'])('reads what is counted, and no table that grows with experiments%s', async (filter) => {
    const plans = await plansOf(
      `/insights?workflow_id=1${filter}`,
      /(?!.*with chosen)insight_(moves|levels|stays)/s,
      mode,
    );
    expect(plans.length).toBeGreaterThanOrEqual(4);
    for (const plan of plans) {
      expect(read(plan, growing)).toEqual([]);
      // The first entry of each state and cohort is the oldest experiment.
      for (const scan of readsOf(plan, 'insight_experiments')) {
        expect(scan).toMatchObject({ 'Index Name': 'insight_experiments_oldest_index' });
        expect(scan['Actual Rows']).toBeLessThanOrEqual(1);
      }
      expect(rowsRead(read(plan, counted))).toBeLessThan(5000);
    }
  });

  it('reads an example of each cause, and at most 1,000 of its open incidents', async () => {
    const [plan = []] = await plansOf('/insights/failures?workflow_id=1', /insight_causes/, mode);
    const runs = readsOf(plan, 'insight_runs');
    expect(rowsRead(runs)).toBeLessThanOrEqual(10);
    expect(rowsRead(readsOf(plan, 'incidents'))).toBeLessThanOrEqual(10_000);
  });

  it.each(['variables', 'decisions'])('reads only the most recent moves out of states for %s', async (list) => {
    const [plan = []] = await plansOf(`/insights/${list}?workflow_id=1`, /with chosen/, mode);
    const moves = readsOf(plan, 'actions').filter((node) => node['Index Name'] === 'actions_leaving_index');
    expect(rowsRead(moves)).toBeGreaterThanOrEqual(1000);
    expect(rowsRead(moves)).toBeLessThanOrEqual(1001);
    const reads = read(plan, [...growing, 'subjects', 'experiment_variables']);
    expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(rowsRead(reads)).toBeLessThanOrEqual(3000);
  });
});

describe('counting', () => {
  it('reads the actions of its experiments and the counted runs of those that changed cohort by index', async () => {
    const ids = [11, 2222, 33_333];
    const statements = await statementsDuring(
      () =>
        inTransaction(server.database.db, async (tx) => {
          await subtractRunsOf(tx, ids);
          await countExperiments(tx, ids);
          await countRunsOf(tx, ids);
          await countRuns(tx, ids);
        }),
      /insight_/,
    );
    expect(statements).toHaveLength(4);
    for (const statement of statements) {
      const plan = await sentPlan(server, statement, 'force_generic_plan');
      expect(rowsRead(read(plan, growing))).toBeLessThanOrEqual(30);
    }
  });
});
