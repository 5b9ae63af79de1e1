/**
 * The number of overdue decisions for the metrics, and what it costs to count them.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { countOverdue, maxOverdueOfState } from './overdue-decisions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
});
afterAll(() => server.stop());

const count = () => countOverdue(server.database.db);
const decideIn = (states: string, due: string | null) =>
  server.sql(
    `update states set version = version + 1, decision = json_build_object('due', $1::text, 'show', '[]'::json, 'fields', '[]'::json)
     where id in (${states})`,
    [due],
  );

describe('the number of overdue decisions', () => {
  it('counts experiments that rest past the due time of their state, as the attention list does', async () => {
    await decideIn('1, 2', '3d');
    await decideIn('3', null);
    await server.sql(`update experiments set resting_since = now() where id % 400 = 0`);
    const [own] = await server.sql<{ count: number }>(
      `select count(*)::int from experiments where state_id in (1, 2) and resting_sequence = action_sequence
       and resting_since < now() - interval '3 days' and not exists (
         select from follow_ups where experiment_id = experiments.id and snoozed_until > now() and snoozed_at >= resting_since)`,
    );
    expect(await count()).toBe(own?.count);
    expect(own?.count).toBeGreaterThan(10);
    const { body } = await server.call('listAttention', { query: { kind: 'decide', limit: 1000 } });
    const listed = body.items.filter(({ overdue }: { overdue: boolean }) => overdue);
    expect(listed).toHaveLength(own?.count ?? 0);
  });

  it('leaves out snoozed experiments', async () => {
    const before = await count();
    const { items } = (await server.call('listAttention', { query: { kind: 'decide', limit: 1 } })).body;
    const params = { id: items[0].experiment.id };
    await server.call('snoozeExperiment', { params, body: { until: '2999-01-01T00:00:00Z' } });
    expect(await count()).toBe(before - 1);
    await server.call('snoozeExperiment', { params, body: { until: null } });
    expect(await count()).toBe(before);
  });

  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    'reads one index entry for each overdue decision, up to the limit for each state, with %s',
    async (mode) => {
      await decideIn('2', '3d');
      await withClient(server.testDatabase.ownerUrl, async (client) => {
        await client.query(`update experiments set version = version + 1, state_id = 2, resting_sequence = 1,
          resting_since = now() - (2 + id % 2) * interval '2 days' where cohort_id < 10 and (state_id <> 2 or resting_sequence is null)`);
        await analyzeWhole(client, 'experiments');
      });
      expect(await count()).toBe(maxOverdueOfState);
      const [statement = { text: '', values: [] }] = await statementsDuring(count, /as overdue/);
      const reads = readsOf(await sentPlan(server, statement, mode), 'experiments');
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set(['experiments_resting_index']));
      expect(rowsRead(reads)).toBeLessThanOrEqual(maxOverdueOfState);
    },
  );
});
