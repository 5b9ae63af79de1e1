/**
 * Query plans of the terms about the past, with 50,000 experiments that arrived, moved and ran in four years: each reads the actions or runs
 * of its period by an index. In a second period, few of thousands of actions and runs match, and the number of rows that are read is limited.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';

/** 36 experiments a day. Reading more than 50 would make the search list those of the scope, too. */
const at = `now() - experiment_id * interval '40 minutes'`;

/** On one day, thousands of moves of the engine and one of a user, and thousands of failed runs, two of which have a rare cause. */
const crowdedDay = '2019-06-03';
const time = `'${crowdedDay} 08:00Z'::timestamptz + n * interval '1 second'`;
const crowd = `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, actor_kind, actor_id)
  select n, sequence, 3, ${time}, ${time}, case when n = 2500 then 'user' else 'engine' end, case when n = 2500 then 1 end
  from generate_series(1, 5000) as n cross join (values (3), (4)) as two (sequence)`;
const crowdOfRuns = `insert into callback_executions
    (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, cause, cause_key)
  select actions.id, 5, 1, 'finished', 'failed', ${time}, ${time}, ${time}, 1 + (n = 2500)::int, 'Cause',
    case when n % 2500 = 0 then 'rare' else 'frequent' end
  from generate_series(1, 5000) as n join actions on experiment_id = n and sequence = 3`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(`insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
      select 1, 'entry', n, n from generate_series(1, 10) n`);
    await client.query(`update actions set transition_id = entry.id, start_time = ${at}, version = actions.version + 1
      from transitions entry where entry.kind = 'entry' and entry.source_state_id = 1 + actions.experiment_id % 10`);
    await client.query(`insert into actions (experiment_id, sequence, transition_id, start_time, actor_kind, actor_id)
      select experiment_id, 2, 1 + experiment_id % 10, ${at}, 'user', 1 from actions order by id`);
    await client.query(`update callback_executions set result = 'failed', created = ${at}, run_start = ${at}, finished = ${at}
      from actions where actions.id = action_id and status = 'finished' and callback_executions.id % 20 = 3`);
    await client.query(crowd);
    await client.query(crowdOfRuns);
    await analyzeWhole(client);
  });
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
const cases = [
  [`arrived:${day}`, 'actions_arriving_index', 36],
  [`entered."state 3":${day}`, 'actions_leaving_index', 3],
  [`left."state 3":${day}`, 'actions_leaving_index', 3],
  [`decided."state 3":${day}`, 'actions_leaving_index', 3],
  [`failed.check:${day}`, 'callback_executions_troubled_index', 1],
  [`retried.check:${day}`, 'callback_executions_troubled_index', 0],
] as const;
const growing = ['actions', 'callback_executions', 'experiments'];

/** The rows of large tables that the term reads, the plan, and the statements for other lists of experiments. */
async function readsOfTerm(q: string, mode: Mode) {
  const search = () => server.call('searchExperiments', { query: { q } });
  const [listing, ...others] = await statementsDuring(search, /select array\(select found\.id/);
  const plan = await sentPlan(server, listing ?? { text: '', values: [] }, mode);
  return { plan, others, reads: growing.flatMap((table) => readsOf(plan, table)) };
}

describe.each<Mode>(['force_custom_plan', 'force_generic_plan'])('with %s, the term', (mode) => {
  it.each(cases)('%s reads only its period with %s', async (q, index, least) => {
    const { plan, reads, others } = await readsOfTerm(q, mode);
    expect(others).toEqual([]);
    expect(reads.map((node) => node['Index Name'])).toContain(index);
    expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(rowsRead(plan)).toBeGreaterThanOrEqual(least);
    expect(rowsRead(reads)).toBeLessThanOrEqual(40);
  });

  it.each([`decided."state 3":${crowdedDay}`, `retried.check:${crowdedDay}`])(
    '%s reads a limited number of rows if few of them match, and is refused',
    async (q) => {
      const { body, status } = await server.call('searchExperiments', { query: { q } });
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'query_too_broad' });
      const { reads } = await readsOfTerm(q, mode);
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(rowsRead(reads)).toBeGreaterThan(100);
      expect(rowsRead(reads)).toBeLessThanOrEqual(1000);
    },
  );

  it('failed.CAUSE finds a rare cause by an index', async () => {
    const q = `failed.5-rare:${crowdedDay}`;
    const { body } = await server.call('searchExperiments', { query: { q } });
    expect(body.experiments).toHaveLength(2);
    const { reads } = await readsOfTerm(q, mode);
    expect(reads.map((node) => node['Index Name'])).toContain('callback_executions_cause_index');
    expect(rowsRead(reads)).toBeLessThanOrEqual(10);
  });
});
