/**
 * Query plans of the time in state, with 50,000 experiments, most of which left the same state: only the most recent moves are read,
 * and each leads to its stay by index.
 *
 * @module-tag sql
 */
import { maxStays } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { readsOf, rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Of all other states, a hundred each. */
const elsewhere = 900;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(`insert into actions (experiment_id, sequence, transition_id, start_time, actor_kind)
      select id, 2, case when id <= ${elsewhere} then 2 + id % 9 else 1 end, now() - id * interval '1 second', 'engine'
      from experiments order by id`);
    await analyzeWhole(client, 'actions');
  });
});
afterAll(() => server.stop());

describe.each<Mode>(['force_custom_plan', 'force_generic_plan'])('the time in state with %s', (mode) => {
  it.each([
    ['all stays', '', maxStays + 1 + elsewhere],
    ['an hour', `?to=${new Date(Date.now() - 3600 * 1000).toISOString()}`, maxStays + 1],
  ])('reads only the most recent moves out of each state for %s', async (_, query, rows) => {
    const [statement, ...others] = await sentStatements(server, `/workflows/brain/durations${query}`, /with leaving/);
    expect(others).toEqual([]);
    const plan = await sentPlan(server, statement ?? { text: '', values: [] }, mode);
    const reads = ['actions', 'experiments'].flatMap((table) => readsOf(plan, table));
    expect(reads.map((node) => node['Index Name'] ?? '').toSorted()).toEqual([
      'actions_leaving_index',
      'actions_sequence_unique',
      'experiments_pk',
    ]);
    // A stay that reads a retry reads one row more. Here are none.
    const widest = reads.map((node) => [node['Index Name'], rowsRead([node])]);
    expect(widest.filter(([, read]) => Number(read) > rows)).toEqual([]);
    expect(Math.max(...widest.map(([, read]) => Number(read)))).toBeGreaterThanOrEqual(maxStays);
  });
});
