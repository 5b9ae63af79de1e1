/**
 * The figures of Insights are those of slow queries: all of a workflow, of a cohort, and of the experiments of a query. MILEPOST_TEST_STAYS
 * sets the number of experiments, by default 1,000.
 *
 * @module-tag sql
 */
import type { Insights } from '@milepost/api';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { expectSlowFigures } from '../../../testing/insights/expect-slow-figures.ts';
import { insertRunsAndDecisions, walkedWithRuns } from '../../../testing/insights/runs-and-decisions.ts';
import { insertRandomStays, type Entry } from '../../../testing/rows/random-stays.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { countAllInsights } from '../../../testing/count-insights.ts';
import { rebuildInsights } from '../../store/insights/progress.ts';

const walks = Number(process.env['MILEPOST_TEST_STAYS'] ?? 1000);

let server: TestServer;
let world: EngineWorld;
let workflow: { id: number; label: string };
let journal: Entry[];
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  const label = await world.importWorkflow(walkedWithRuns(world.fresh('queue')));
  journal = await insertRandomStays(server, { workflow: label, experiments: walks, seed });
  await insertRunsAndDecisions(server, label);
  // The rows were inserted without the engine, which would have set the state.
  await server.sql(`update experiments set state_id = last.state_id from (
    select distinct on (experiment_id) experiment_id, destination_state_id as state_id from actions join transitions on transitions.id = transition_id
    where retry_of is null order by experiment_id, sequence desc) as last where last.experiment_id = experiments.id`);
  await rebuildInsights(server.database.db);
  await countAllInsights(server.database.db);
  const [found] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
  workflow = { id: found?.id ?? 0, label };
});
afterAll(() => server.stop());

type Shown = Static<typeof Insights>;

async function read(query: object = {}): Promise<Shown> {
  const { status, body } = await server.call('getInsights', { query: { workflow_id: workflow.id, ...query } });
  expect(status).toBe(200);
  return body as Shown;
}

const sql = <T extends object>(text: string, values?: unknown[]) => server.sql<T>(text, values);
const expectSlow = (shown: Shown, cohortId: number | null, isQuery = false) =>
  expectSlowFigures(sql, shown, { workflowId: workflow.id, weeks: shown.weeks, cohortId, isQuery });

async function smallCohort(): Promise<{ id: number; label: string }> {
  const label = `${workflow.label} 2`;
  const [row] = await server.sql<{ id: number }>('select id::int from cohorts where label = $1', [label]);
  return { id: row?.id ?? 0, label };
}

describe('GET /insights', () => {
  it.each([4, 12, 20])('returns the figures of %i weeks', async (weeks) => {
    const shown = await read({ weeks });
    expect(shown.weeks).toHaveLength(weeks);
    await expectSlow(shown, null);
    expect(shown.experiments).toBe(walks);
    for (const list of [shown.flow, shown.failures, shown.variables, shown.forecasts])
      expect(list.length).toBeGreaterThan(2);
    expect(new Set(shown.decisions.map(({ user }) => user?.name))).toEqual(new Set([undefined, 'admin', 'second']));
  });

  it('returns those of one cohort', async () => {
    const { id, label } = await smallCohort();
    const shown = await read({ cohort_id: id });
    await expectSlow(shown, id);
    expect(shown.forecasts.map(({ cohort }) => cohort.label)).toEqual([label]);
  });

  it('computes those of a query from the actions, without buckets', async () => {
    const { id, label } = await smallCohort();
    await expectSlow(await read({ q: `cohort:"${label}"`, weeks: 16 }), id, true);
  });

  it('reads only what the mask includes', async () => {
    const others = /insight_causes|with chosen|is_older/;
    const query = { workflow_id: workflow.id };
    const ofAll = await statementsDuring(() => server.call('getInsights', { query }), others);
    expect(ofAll).toHaveLength(4);
    const ofTraffic = await statementsDuring(() => server.call('getInsights', { query, fields: 'traffic' }), others);
    expect(ofTraffic).toEqual([]);
  });
});

/** The last state of each experiment before the day ended. */
function statesAt(day: string): Map<number, number> {
  const last = new Map<number, number>();
  for (const { experiment, state, at } of journal) if (at.slice(0, 10) <= day) last.set(experiment, state);
  return new Map([...Map.groupBy(last.values(), (state) => state)].map(([state, ones]) => [state, ones.length]));
}

describe('GET /workflows/{id}/past_counts', () => {
  it('returns the experiments in each state at the end of 40 days, as in the journals of their walks', async () => {
    for (let days = 0; days < 120; days += 3) {
      const at = new Date(Date.now() - days * 24 * 3600 * 1000).toISOString().slice(0, 10);
      const { body } = await server.call('getPastWorkflowCounts', { params: { id: workflow.id }, query: { at } });
      const states = body.states as { state: { id: number }; experiments: number }[];
      const shown = states.filter(({ experiments }) => experiments > 0);
      expect(new Map(shown.map(({ state, experiments }) => [state.id, experiments]))).toEqual(statesAt(at));
    }
    expect(statesAt(new Date().toISOString().slice(0, 10)).size).toBe(4);
  });
});

describe('a list of insights', () => {
  it('returns the rows of the page, in pages', async () => {
    const { flow } = await read();
    const rows: object[] = [];
    for (let after = 0; ; after += 7) {
      const { body, headers } = await server.call('listInsightFlow', {
        query: { workflow_id: workflow.id, limit: 7, after },
      });
      rows.push(...(body.flow as object[]));
      if (headers.get('link') === null) break;
    }
    expect(rows).toEqual(flow);
  });
});

describe('a query', () => {
  it('rejects a query that finds too much', async () => {
    const cohort = (await server.sql<{ id: number }>('select id::int from cohorts limit 1'))[0]?.id;
    await server.sql(
      `with subject as (insert into subjects (cohort_id, label) values ($1, 'crowd') returning id)
       insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
       select subject.id, $1, $2, (select initial_state_id from workflows where id = $2), 'crowd ' || n from subject, generate_series(1, 10001) n`,
      [cohort, workflow.id],
    );
    const query = { workflow_id: workflow.id, q: `workflow:"${workflow.label}"` };
    expect(await server.call('getInsights', { query })).toMatchObject({
      status: 422,
      body: { code: 'query_too_broad', errors: [{ pointer: '?q' }] },
    });
  });
});
