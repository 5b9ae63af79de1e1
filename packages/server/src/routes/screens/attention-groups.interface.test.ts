/**
 * Failed runs by callback and cause.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
const queue = 'failing';
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(pulledWorkflow(queue));
});
afterAll(() => server.stop());

/** An experiment in a cohort of its own whose run failed and said this. */
async function failing(cause: string): Promise<number> {
  const experiment = await world.experimentOf(workflow);
  const [claim] = await world.claim(queue);
  await world.reportWithSecret(claim, { status: 'finished', result: 'failed', result_values: { error: cause } });
  return experiment;
}

const groups = async (parts: object = {}) => (await server.call('getAttentionGroups', parts)).body.groups;
const experimentsIn = async (query: Record<string, string | number>) =>
  (await server.call('listAttention', { query })).body.items.map(
    ({ experiment }: { experiment: { id: number } }) => experiment.id,
  );

let burned: number[];
let full: number;
let silent: number;
beforeAll(async () => {
  burned = [];
  for (const series of [1, 2, 15]) burned.push(await failing(`A name is burned into the pixels of series ${series}`));
  full = await failing('No space left on /scratch/17');
  silent = await failing('');
});

describe('groups of failed runs', () => {
  it('have a title without values, the number of experiments, and the first one as an example', async () => {
    expect(await groups()).toMatchObject([
      {
        callback: 'c',
        title: 'A name is burned into the pixels of series …',
        experiments: 3,
        cohorts: 3,
        example: { experiment: { id: burned[0] }, cause: 'A name is burned into the pixels of series 1' },
      },
      { title: 'No space left on /scratch/17', experiments: 1, example: { experiment: { id: full } } },
      { title: 'No reason given', experiments: 1, example: { experiment: { id: silent }, cause: null } },
    ]);
  });

  it('list only the experiments of the kind, if a kind is given', async () => {
    const [{ cause_group }] = await groups();
    expect(await experimentsIn({ cause_group, kind: 'failed' })).toEqual(burned);
    for (const kind of ['timed_out', 'waiting', 'decide'])
      expect(await experimentsIn({ cause_group, kind })).toEqual([]);
  });

  it('name their example as the attention list does', async () => {
    const [{ example }] = await groups();
    const { body } = await server.call('listAttention', { query: { kind: 'failed' } });
    expect(body.items).toContainEqual(example);
  });

  it('list their experiments as a filter of the attention list and of incidents', async () => {
    const [{ cause_group: group }] = await groups();
    expect(await experimentsIn({ cause_group: group })).toEqual(burned);
    expect(await experimentsIn({ cause_group: group, limit: 1, offset: 1 })).toEqual([burned[1]]);
    const { body } = await server.call('listIncidents', { query: { cause_group: group } });
    expect(body.incidents.map((one: { experiment: { id: number } }) => one.experiment.id)).toEqual(burned);
    expect(await server.call('listIncidents', { query: { cause_group: group, state: 'all' } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?state' }] },
    });
  });

  it('keep incidents of the release before groups outside, listed one by one', async () => {
    const old = await failing('The session is locked');
    await server.sql('update incidents set cause_group = null where experiment_id = $1', [old]);
    expect(await experimentsIn({ cause_group: 'none' })).toEqual([old]);
    expect(await experimentsIn({ kind: 'failed' })).toEqual([...burned, full, silent, old]);
    expect((await groups()).length).toBe(3);
    await world.move(old, 'other');
  });

  it('show only experiments of the cohorts that a user can read', async () => {
    const [row] = await server.sql<{ cohort: number }>(
      'select cohort_id::int as cohort from experiments where id = $1',
      [burned[1]],
    );
    const cohort = row?.cohort ?? 0;
    await server.addUser('anna', []);
    await server.call('assignCohortRole', { params: { username: 'anna', role_name: 'admin', cohort_id: cohort } });
    const own = [
      {
        title: 'A name is burned into the pixels of series 2',
        experiments: 1,
        example: { experiment: { id: burned[1] } },
      },
    ];
    expect(await groups({ as: 'anna' })).toMatchObject(own);
    expect(await groups({ query: { cohort_id: cohort } })).toMatchObject(own);
  });

  it('lose an experiment that is retried', async () => {
    await server.call('retryExperiment', { params: { id: burned[2] ?? 0 }, body: {} });
    const [first] = await groups();
    expect(first).toMatchObject({ experiments: 2, example: { experiment: { id: burned[0] } } });
  });
});

describe('many failed runs', () => {
  it('are counted up to 1,000 for each group', async () => {
    await server.sql(
      `with subject as (insert into subjects (label, cohort_id) select 'many', id from cohorts order by id limit 1 returning id, cohort_id),
       made as (
         insert into experiments (label, subject_id, cohort_id, workflow_id, state_id)
         select 'many ' || number, subject.id, subject.cohort_id, states.workflow_id, states.id
         from subject cross join generate_series(1, 3000) as number
           cross join (select * from states where label = 'other' order by id limit 1) as states returning id)
       insert into incidents (experiment_id, kind, execution_id, cause_group)
       select id, 'failed', (select min(id) from callback_executions), case when id % 3 = 0 then '9-aaaaaaaaaaaaaaaa' else '9-bbbbbbbbbbbbbbbb' end from made`,
    );
    const [largest, second] = await groups();
    expect([largest, second]).toMatchObject([{ experiments: 1000 }, { experiments: 1000 }]);
  });

  it('say that there can be more if the groups that were read are all of other cohorts', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'Few failures' } });
    await server.addUser('bert', []);
    await server.call('assignCohortRole', { params: { username: 'bert', role_name: 'admin', cohort_id: cohort.id } });
    const groupsOfBert = async () => (await server.call('getAttentionGroups', { as: 'bert' })).body;
    expect(await groupsOfBert()).toEqual({ groups: [], more: false });
    await server.sql(
      `update incidents set cause_group = '8-' || lpad(to_hex(id), 16, '0') where cause_group like '9-%'`,
    );
    expect(await groupsOfBert()).toEqual({ groups: [], more: true });
  });
});
