/**
 * Insights of workflows with a few experiments: failures, variables, decisions, and an import that replaces a state.
 *
 * @module-tag sql
 */
import type { Insights } from '@milepost/api';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAllInsights } from '../../../testing/count-insights.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

type Shown = Static<typeof Insights>;

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const statesTo = (final: string) => `initial: waits
states:
  - {label: waits, transitions: [{destination: ${final}, by: person}]}
  - {label: ${final}}
`;

describe('an import that replaces a final state', () => {
  it('does not finish its experiments again', async () => {
    const label = await world.importWorkflow(statesTo('done'));
    for (let n = 0; n < 3; n += 1) await world.move(await world.experimentOf(label), 'done');
    const body = { workflow_definition: `label: ${label}\n${statesTo('accepted')}`, state_map: { done: 'accepted' } };
    expect((await server.call('importWorkflow', { body })).status).toBeLessThan(300);
    await countAllInsights(server.database.db);
    const [row] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
    const { body: shown } = await server.call('getInsights', { query: { workflow_id: row?.id ?? 0, weeks: 2 } });
    const { flow, stays } = shown as Shown;
    const finished = flow.map((one) => [one.state.label, one.finished] as const).filter(([, count]) => count > 0);
    expect(finished).toEqual([['done', 3]]);
    const finals = stays.filter((one) => one.final).map((one) => [one.state.label, one.experiments] as const);
    expect(new Map(finals)).toEqual(
      new Map([
        ['accepted', 3],
        ['done', 0],
      ]),
    );
  });
});

describe('a list of insights', () => {
  it('names failures by callback and cause, with their open incidents', async () => {
    const label = await world.importWorkflow(pulledWorkflow(world.fresh('queue')));
    for (let n = 0; n < 3; n += 1) {
      const id = await world.experimentOf(label);
      await world.report((await world.executionOf(id, 'c')).id, {
        status: 'finished',
        result: n === 2 ? 'success' : 'failed',
        result_log: `No space left on /scratch/${n}`,
      });
    }
    await countAllInsights(server.database.db);
    const [row] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
    const { body } = await server.call('listInsightFailures', { query: { workflow_id: row?.id ?? 0, weeks: 2 } });
    expect(body.failures).toMatchObject([{ callback: { label: 'c' }, failures: 2, open: 2, weeks: [0, 2] }]);
    expect((body.failures as { cause: string }[])[0]?.cause).toContain('No space left');
    const group = (body.failures as { cause_group: string }[])[0]?.cause_group ?? '';
    const incidents = await server.call('listIncidents', { query: { cause_group: group } });
    expect(incidents.body.incidents).toHaveLength(2);
  });

  it('names variables whose stays are longer, and how long decisions took, by user only with `audit_read`', async () => {
    const label = await world.importWorkflow(`initial: waits
states:
  - {label: waits, decision: {}, transitions: [{destination: done, by: person}]}
  - {label: done}
`);
    const [row] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
    const workflowId = row?.id ?? 0;
    for (let n = 0; n < 12; n += 1) {
      const id = await world.experimentOf(label);
      const site = n % 2 === 0 ? 'near' : 'far';
      const answered = await server.call('setExperimentVariable', {
        params: { id, name: 'site' },
        body: { value: site },
      });
      expect(answered.status).toBe(200);
      // As if it had been created earlier.
      const hours = site === 'far' ? '30 hours' : '3 hours';
      await server.sql(
        `update actions set start_time = start_time - $2::interval, end_time = end_time - $2::interval where experiment_id = $1`,
        [id, hours],
      );
      await world.move(id, 'done');
    }
    await countAllInsights(server.database.db);
    const query = { workflow_id: workflowId };
    const variables = (await server.call('listInsightVariables', { query })).body.variables as Shown['variables'];
    const far = variables.find(({ value }) => value === 'far');
    expect(far).toMatchObject({ state: { label: 'waits' }, variable: 'site', stays: 6, all_stays: 12 });
    expect(Math.round((far?.median_seconds ?? 0) / 3600)).toBe(30);
    const decisions = (await server.call('listInsightDecisions', { query })).body.decisions as Shown['decisions'];
    expect(decisions.map(({ user, decisions: count }) => [user?.name ?? null, count])).toEqual([
      [null, 12],
      ['admin', 12],
    ]);
    await server.addUser('reader_of_insights', ['user']);
    const own = await server.call('listInsightDecisions', { query, as: 'reader_of_insights' });
    expect((own.body.decisions as Shown['decisions']).map(({ user }) => user)).toEqual([null]);
  });
});
