/**
 * Query plans of the list of saved views with 20,000 private views of 500 users, and counts with 50,000 experiments. A user reads their own
 * views and those that are shared, and no others.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { readsOf, rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // 40 views of each user, and 200 of them are shared.
    await client.query(`insert into views (owner_id, cohort_id, name, name_key, query)
      select users.id, case when (users.id * 40 + n) % 100 = 0 then 1 + n % 10 end, 'view ' || n, 'view ' || n, 'incident:any'
      from users, generate_series(1, 40) n where users.username ~ '^u[0-9]+$'`);
    await analyzeWhole(client, 'views');
  });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

describe('GET /views', () => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])('with %s reads only visible views', async (mode) => {
    for (const request of ['/views', '/views?limit=10&offset=20']) {
      const statements = await sentStatements(server, request, /from views/);
      expect(statements).toHaveLength(1);
      const [statement] = statements;
      const plan = statement ? await sentPlan(server, statement, mode) : [];
      const indexes = plan.map((node) => node['Index Name']);
      expect(indexes).toEqual(expect.arrayContaining(['views_name_unique', 'views_cohort_index']));
      expect(rowsRead(readsOf(plan, 'views'))).toBeLessThanOrEqual(200);
    }
  });
});

describe('GET /views/counts', () => {
  it('has no number for a query that would read too many experiments', async () => {
    const queries = ['var.nothing:1', 'id:1..100 var.nothing:1', ''];
    for (const [index, query] of queries.entries())
      await server.call('createView', { body: { name: `a ${index}`, query } });
    const { body } = await server.call('getViewCounts');
    expect(body.counts.slice(0, 3)).toMatchObject([
      { experiments: null, more: false },
      { experiments: 0, more: false },
      { experiments: 10_000, more: true },
    ]);
  });
});
