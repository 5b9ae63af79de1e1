/**
 * The figures of Insights are those of slow queries: all of a workflow, of a cohort, and of the experiments of a query.
 *
 * @module-tag sql
 */
import type { Insights } from '@milepost/api';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { insertRandomStays, walkedStates } from '../../../testing/rows/random-stays.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { countAllInsights } from '../../../testing/count-insights.ts';
import { rebuildInsights } from '../../store/insights/progress.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: { id: number; label: string };
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  const label = await world.importWorkflow(walkedStates);
  await insertRandomStays(server, { workflow: label, experiments: 1000, seed });
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

/** The stays that ended since the day, by state, with exact quantiles. */
const slowStays = (from: string, cohort: string | null) =>
  server.sql<{ state: string; stays: number; median: number; p90: number; total: number }>(
    `with entered as (
       select destination_state_id as state_id, start_time, lead(start_time) over (partition by experiment_id order by sequence) as left_at,
         cohorts.label as cohort
       from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
       join cohorts on cohorts.id = cohort_id where retry_of is null and experiments.workflow_id = $1)
     select states.label as state, count(*)::int as stays,
       percentile_disc(0.5) within group (order by extract(epoch from left_at - start_time))::float8 as median,
       percentile_disc(0.9) within group (order by extract(epoch from left_at - start_time))::float8 as p90,
       sum(extract(epoch from left_at - start_time))::float8 as total
     from entered join states on states.id = state_id
     where left_at at time zone 'UTC' >= $2::date and cohort = coalesce($3, cohort) group by states.id order by states.position`,
    [workflow.id, from, cohort],
  );

/** The present experiments of each state that is not final, when the oldest entered it, and the seconds since all entered it. */
const slowPresent = (cohort: string | null) =>
  server.sql<{ state: string; experiments: number; oldest: Date; seconds: number }>(
    `with latest as (
       select distinct on (experiment_id) destination_state_id as state_id, start_time
       from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
       join cohorts on cohorts.id = cohort_id
       where retry_of is null and experiments.workflow_id = $1 and cohorts.label = coalesce($2, cohorts.label)
       order by experiment_id, sequence desc)
     select states.label as state, count(*)::int as experiments, min(start_time) as oldest,
       sum(extract(epoch from now() - start_time))::float8 as seconds
     from latest join states on states.id = state_id
     where exists (select from transitions where source_state_id = state_id and kind = 'defined')
     group by states.id order by states.position`,
    [workflow.id, cohort],
  );

/** By week and state, the experiments that entered and left it, and those in it at the end of the week. */
const slowFlow = (weeks: readonly string[], cohort: string | null) =>
  server.sql<{ week: string; state: string; entered: number; left: number; experiments: number }>(
    `with entered as (
       select experiment_id, sequence, destination_state_id as state_id, start_time at time zone 'UTC' as at,
         lead(start_time at time zone 'UTC') over (partition by experiment_id order by sequence) as left_at
       from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
       join cohorts on cohorts.id = cohort_id
       where retry_of is null and experiments.workflow_id = $1 and cohorts.label = coalesce($3, cohorts.label))
     select week.first as week, states.label as state,
       count(*) filter (where at >= week.first::date and at < week.first::date + 7)::int as entered,
       count(*) filter (where left_at >= week.first::date and left_at < week.first::date + 7)::int as left,
       count(*) filter (where at < week.first::date + 7 and (left_at is null or left_at >= week.first::date + 7))::int as experiments
     from unnest($2::text[]) with ordinality as week (first, place) cross join states join entered on state_id = states.id
     group by week.place, week.first, states.id order by week.place, states.position`,
    [workflow.id, weeks, cohort],
  );

/** The moves since the day, by the two states. */
const slowTraffic = (from: string, cohort: string | null) =>
  server.sql<{ source: string; destination: string; moves: number }>(
    `with entered as (
       select destination_state_id as state_id, start_time, lag(destination_state_id) over (partition by experiment_id order by sequence) as left_id
       from actions join transitions on transitions.id = transition_id join experiments on experiments.id = experiment_id
       join cohorts on cohorts.id = cohort_id
       where retry_of is null and experiments.workflow_id = $1 and cohorts.label = coalesce($3, cohorts.label))
     select source.label as source, destination.label as destination, count(*)::int as moves
     from entered join states as source on source.id = left_id join states as destination on destination.id = state_id
     where start_time at time zone 'UTC' >= $2::date group by source.id, destination.id order by source.position, destination.position`,
    [workflow.id, from, cohort],
  );

async function expectExactTraffic(shown: Shown, cohort: string | null): Promise<void> {
  const expected = await slowTraffic(shown.from, cohort);
  expect(expected.length).toBeGreaterThan(1);
  const rows = shown.traffic.map(({ source, destination, moves }) => [source.label, destination.label, moves]);
  expect(rows).toEqual(expected.map(({ source, destination, moves }) => [source, destination, moves]));
}

const flowOf = ({ flow }: Shown) =>
  flow.map(({ week, state, entered, left, experiments }) => ({ week, state: state.label, entered, left, experiments }));

async function expectExactFlow(shown: Shown, cohort: string | null): Promise<void> {
  const expected = await slowFlow(shown.weeks, cohort);
  expect(expected.some(({ left, experiments }) => left > 0 && experiments > 0)).toBe(true);
  expect(flowOf(shown)).toEqual(expected);
}

/** Quantiles of counted stays are within 2 %. */
async function expectStays(shown: Shown, cohort: string | null, within: number): Promise<void> {
  const expected = await slowStays(shown.from, cohort);
  const stays = shown.stays.filter((row) => row.stays > 0);
  expect(stays.map((row) => [row.state.label, row.stays])).toEqual(expected.map((row) => [row.state, row.stays]));
  for (const [index, { median_seconds: median, p90_seconds: p90, total_seconds: total }] of stays.entries()) {
    const slow = expected[index] ?? { median: 0, p90: 0, total: 0 };
    expect(Math.abs((median ?? 0) / slow.median - 1)).toBeLessThanOrEqual(within);
    expect(Math.abs((p90 ?? 0) / slow.p90 - 1)).toBeLessThanOrEqual(within);
    expect(Math.abs(total / slow.total - 1)).toBeLessThan(0.0001);
  }
  await expectPresent(shown, cohort);
}

/** The experiments that are still in a state count in its share. */
async function expectPresent({ stays }: Shown, cohort: string | null): Promise<void> {
  const waiting = stays.filter((row) => row.oldest_entered_at !== null);
  const expected = await slowPresent(cohort);
  expect(expected.length).toBeGreaterThan(1);
  expect(waiting.map((row) => [row.state.label, row.experiments, row.oldest_entered_at])).toEqual(
    expected.map((row) => [row.state, row.experiments, row.oldest.toISOString()]),
  );
  for (const [index, { present_seconds: present }] of waiting.entries())
    expect(Math.abs(present / (expected[index]?.seconds ?? 0) - 1)).toBeLessThan(0.001);
  expect(stays.filter(({ final }) => final).every((row) => row.present_seconds === 0)).toBe(true);
  const all = stays.reduce((sum, row) => sum + row.total_seconds + row.present_seconds, 0);
  for (const { share, total_seconds: ended, present_seconds: present } of stays)
    expect(share).toBeCloseTo((ended + present) / all, 6);
}

describe('GET /insights', () => {
  it.each([4, 12, 20])('returns the flow, the traffic and the stays of %i weeks', async (weeks) => {
    const shown = await read({ weeks });
    expect(shown.weeks).toHaveLength(weeks);
    await expectExactFlow(shown, null);
    await expectExactTraffic(shown, null);
    await expectStays(shown, null, 0.02);
    expect(shown.experiments).toBe(1000);
  });

  it('returns those of one cohort', async () => {
    const cohort = `${workflow.label} 2`;
    const [row] = await server.sql<{ id: number }>('select id::int from cohorts where label = $1', [cohort]);
    const shown = await read({ cohort_id: row?.id });
    await expectExactFlow(shown, cohort);
    await expectExactTraffic(shown, cohort);
    await expectStays(shown, cohort, 0.02);
    expect(shown.forecasts.map(({ cohort: one }) => one.label)).toEqual([cohort]);
  });

  it('computes those of a query from the actions, without buckets', async () => {
    const shown = await read({ q: `workflow:"${workflow.label}"`, weeks: 16 });
    await expectExactFlow(shown, null);
    await expectExactTraffic(shown, null);
    await expectStays(shown, null, 0.001);
  });

  it('reads only what the mask includes', async () => {
    const others = /insight_causes|with chosen|is_older/;
    const query = { workflow_id: workflow.id };
    const ofAll = await statementsDuring(() => server.call('getInsights', { query }), others);
    expect(ofAll).toHaveLength(4);
    const ofTraffic = await statementsDuring(() => server.call('getInsights', { query, fields: 'traffic' }), others);
    expect(ofTraffic).toEqual([]);
  });

  it('counts arrivals', async () => {
    const shown = await read({ weeks: 20 });
    expect(shown.flow.reduce((sum, { arrived }) => sum + arrived, 0)).toBe(1000);
    expect(shown.flow.filter(({ state }) => state.label !== 'arrived').every(({ arrived }) => arrived === 0)).toBe(
      true,
    );
  });
});

describe('GET /workflows/{id}/past_counts', () => {
  it('returns the experiments in each state at the end of 40 days', async () => {
    for (let days = 0; days < 120; days += 3) {
      const at = new Date(Date.now() - days * 24 * 3600 * 1000).toISOString().slice(0, 10);
      const { body } = await server.call('getPastWorkflowCounts', { params: { id: workflow.id }, query: { at } });
      const expected = await server.sql(
        `select states.label, count(*)::int as experiments from (
           select distinct on (experiment_id) destination_state_id as state_id from actions
           join transitions on transitions.id = transition_id
           where retry_of is null and workflow_id = $1 and start_time < ($2::date + 1)::timestamp at time zone 'UTC'
           order by experiment_id, sequence desc) as last
         join states on states.id = state_id group by states.id order by states.position`,
        [workflow.id, at],
      );
      const states = body.states as { state: { label: string }; experiments: number }[];
      const shown = states.filter(({ experiments }) => experiments > 0);
      expect(shown.map(({ state, experiments }) => ({ label: state.label, experiments }))).toEqual(expected);
    }
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
    const many = await server.sql<{ n: number }>('select count(*)::int as n from experiments');
    expect(many[0]?.n).toBeLessThan(10_000);
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
