/**
 * The counts of saved views, which depend on the user who asks.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainExperiments, searchedStudy, type PlainExperiment } from '../../../testing/queries/searched-study.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let all: PlainExperiment[];
beforeAll(async () => {
  server = await startTestServer({ rows: searchedStudy });
  all = await server.sql<PlainExperiment>(plainExperiments);
  await server.addUser('carla', []);
  await server.call('assignCohortRole', { params: { username: 'carla', role_name: 'superuser', cohort_id: 2 } });
});
afterAll(() => server.stop());

const share = async (name: string, query: string, as = 'carla'): Promise<number> =>
  (await server.call('createView', { body: { name, query, cohort_id: 2 }, as })).body.id;
const countsFor = async (as: string): Promise<{ view_id: number; experiments: number | null; more: boolean }[]> =>
  (await server.call('getViewCounts', { as })).body.counts;
const countOf = async (viewId: number, as: string) =>
  (await countsFor(as)).find(({ view_id: id }) => id === viewId)?.experiments;

describe('the counts of views', () => {
  it('include only experiments that the user can read', async () => {
    const id = await share('done', 'state:done');
    const done = all.filter(({ state }) => state === 'done');
    expect(await countOf(id, 'admin')).toBe(done.length);
    expect(await countOf(id, 'carla')).toBe(done.filter(({ cohort }) => cohort === 'trial b').length);
    expect(done.length).toBeGreaterThan(0);
  });

  it('take `assigned:me` as the user who asks', async () => {
    const id = await share('mine', 'assigned:me');
    await server.sql(
      `update follow_ups set assignee_id = (select id from users where username = 'carla') where experiment_id in (
         select min(id) from experiments where cohort_id = 2 and id in (select experiment_id from follow_ups))`,
    );
    expect([await countOf(id, 'carla'), await countOf(id, 'admin')]).toEqual([1, 0]);
  });

  it('are null if the query names a cohort that the user cannot read, or a state that does not exist', async () => {
    const [foreign, unknown] = [
      await share('foreign', 'cohort:memory-clinic'),
      await share('unknown', 'state:nowhere'),
    ];
    expect([await countOf(foreign, 'carla'), await countOf(unknown, 'carla')]).toEqual([null, null]);
    expect(await countOf(foreign, 'admin')).toBe(all.filter(({ cohort }) => cohort === 'memory-clinic').length);
  });

  it('are those of the first 20 views in the order of the list', async () => {
    for (let index = 0; index < 25; index++) await share(`x ${String(index).padStart(2, '0')}`, 'id:1');
    const listed = (await server.call('listViews', { as: 'carla' })).body.views as { id: number }[];
    const counted = await countsFor('carla');
    expect(counted.map(({ view_id: id }) => id)).toEqual(listed.slice(0, 20).map(({ id }) => id));
  });
});
