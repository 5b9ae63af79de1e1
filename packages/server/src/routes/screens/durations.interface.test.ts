/**
 * The time in state: equal to a slow query over all actions, limited to a period, to the caller's cohorts and to the most recent
 * stays.
 *
 * @module-tag sql
 */
import { maxStays } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { insertRandomStays, walkedStates } from '../../../testing/rows/random-stays.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { readDurations, type DurationFilter, type DurationRow } from '../../store/experiments/durations.ts';
import { allCohorts, type Scope } from '../../store/scope.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

interface Figures {
  state: string;
  cohort: string | null;
  stays: number;
  median: number;
  p90: number;
}

const byName = (one: Figures, other: Figures) =>
  one.state.localeCompare(other.state) || (one.cohort ?? '').localeCompare(other.cohort ?? '');

interface Period {
  workflow: string;
  from?: string;
  to?: string;
  /** For each state, the most recent ones. */
  newest?: number;
  cohort?: string;
}

/** Follows each experiment from action to action, whatever the transitions leave. Retries continue a stay. */
const slowly = ({ workflow, from = '-infinity', to = 'infinity', newest = 1e9, cohort }: Period) =>
  server.sql<Figures>(
    `with entered as (
       select destination_state_id as state_id, experiment_id, start_time,
         lead(start_time) over (partition by experiment_id order by sequence) as left_at
       from actions join transitions on transitions.id = transition_id
       join workflows on workflows.id = workflow_id where workflows.label = $1 and retry_of is null
     ), stays as (
       select states.label as state, cohorts.label as cohort, extract(epoch from left_at - start_time)::float8 as seconds,
         row_number() over (partition by states.id order by left_at desc) as place
       from entered join states on states.id = state_id join experiments on experiments.id = experiment_id
       join cohorts on cohorts.id = cohort_id
       where left_at >= $2 and left_at < $3 and cohorts.label = coalesce($5, cohorts.label))
     select state, cohort, count(*)::int as stays,
       round((percentile_cont(0.5) within group (order by seconds))::numeric, 3)::float8 as median,
       round((percentile_cont(0.9) within group (order by seconds))::numeric, 3)::float8 as p90
     from stays where place <= $4 group by grouping sets ((state), (state, cohort))`,
    [workflow, from, to, newest, cohort],
  );

interface Answered extends Omit<Figures, 'state' | 'cohort' | 'median' | 'p90'> {
  median_seconds: number;
  p90_seconds: number;
}
interface AnsweredState extends Answered {
  state: { label: string };
  more: boolean;
  cohorts: (Answered & { cohort: { label: string } })[];
}

const figuresOf = (state: string, cohort: string | null, one: Answered): Figures => ({
  state,
  cohort,
  stays: one.stays,
  median: one.median_seconds,
  p90: one.p90_seconds,
});

const read = async (workflow: string | number, query: { from?: string; to?: string } = {}) => {
  const { body } = await server.call('getWorkflowDurations', { params: { workflow_label: workflow }, query });
  const states = body.states as AnsweredState[];
  const rows = states
    .filter(({ stays }) => stays > 0)
    .flatMap(({ state, cohorts, ...all }) => [
      figuresOf(state.label, null, all),
      ...cohorts.map(({ cohort, ...its }) => figuresOf(state.label, cohort.label, its)),
    ]);
  return { body, states, rows: rows.toSorted(byName) };
};

const expectEqual = async (workflow: string, query: { from?: string; to?: string }, slow: Omit<Period, 'workflow'>) => {
  const expected = await slowly({ workflow, ...slow });
  expect(expected.length).toBeGreaterThan(6);
  expect((await read(workflow, query)).rows).toEqual(expected.toSorted(byName));
};

async function generate(experiments: number): Promise<string> {
  const workflow = await world.importWorkflow(walkedStates);
  await insertRandomStays(server, { workflow, experiments, seed });
  return workflow;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

const query = (filter: Partial<DurationFilter> & { workflowId: number }, scope: Scope = allCohorts) =>
  readDurations(server.database.db, scope, { from: daysAgo(200), to: daysAgo(0), maxStays, ...filter });

const shown = ({ state_label: state, cohort_label: cohort, stays, median, p90 }: DurationRow): Figures => ({
  state,
  cohort,
  stays,
  median: median ?? 0,
  p90: p90 ?? 0,
});

describe('the time in state of generated experiments', () => {
  let workflow: string;
  let workflowId: number;
  beforeAll(async () => {
    workflow = await generate(500);
    workflowId = (await read(workflow)).body.workflow.id;
  });

  it('equals a slow query over all actions, in any period', async () => {
    await expectEqual(workflow, { from: daysAgo(200) }, {});
    const [from, to] = [daysAgo(60), daysAgo(20)];
    await expectEqual(workflow, { from, to }, { from, to });
  });

  it('covers the last 90 days by default', async () => {
    const { body, rows } = await read(workflow);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(90 * 24 * 3600 * 1000);
    expect(Math.abs(Date.parse(body.to) - Date.now())).toBeLessThan(3600 * 1000);
    expect(rows).toEqual((await slowly({ workflow, from: body.from, to: body.to })).toSorted(byName));
    expect((await slowly({ workflow })).toSorted(byName)).not.toEqual(rows);
  });

  it('considers the most recent stays of each state, and says that there are more', async () => {
    const expected = (await slowly({ workflow, newest: 100 })).toSorted(byName);
    const rows = await query({ workflowId, maxStays: 100 });
    expect(rows.map(shown).toSorted(byName)).toEqual(expected);
    expect(rows.map(({ more }) => more)).toEqual(rows.map(() => true));
    expect((await query({ workflowId })).map(({ more }) => more)).not.toContain(true);
    const exact = Math.max(...(await slowly({ workflow })).map(({ stays }) => stays));
    expect((await query({ workflowId, maxStays: exact })).map(({ more }) => more)).not.toContain(true);
  });

  it("considers the most recent stays of the caller's cohorts, however busy others are", async () => {
    const cohort = `${workflow} 2`;
    const [one] = await server.sql<{ id: number }>('select id::int from cohorts where label = $1', [cohort]);
    const scope: Scope = { kind: 'cohorts', ids: [one?.id ?? 0] };
    const rows = await query({ workflowId, maxStays: 10 }, scope);
    expect(rows.map(shown).toSorted(byName)).toEqual((await slowly({ workflow, cohort, newest: 10 })).toSorted(byName));
    expect(rows.map(({ more }) => more)).toEqual(rows.map(() => true));
    const own = await slowly({ workflow, cohort });
    const exact = Math.max(...own.map(({ stays }) => stays));
    const foreign = (await slowly({ workflow })).filter((row) => row.cohort === null);
    expect(foreign.every(({ stays }) => stays > 3 * exact)).toBe(true);
    expect((await query({ workflowId, maxStays: exact }, scope)).map(({ more }) => more)).not.toContain(true);
  });

  it("includes only the caller's cohorts", async () => {
    const all = (await slowly({ workflow })).filter(({ cohort }) => cohort === `${workflow} 2`);
    const ids = (
      await server.sql<{ id: number }>('select id::int from cohorts where label = $1', [`${workflow} 2`])
    ).map(({ id }) => id);
    const rows = await query({ workflowId }, { kind: 'cohorts', ids });
    const figures = rows.map(({ state_label: state, stays, median, p90 }) => ({ state, stays, median, p90 }));
    const expected = all.map(({ state, stays, median, p90 }) => ({ state, stays, median, p90 }));
    // Once for the state, and once for its only cohort.
    expect(figures).toHaveLength(2 * expected.length);
    expect(figures).toEqual(expect.arrayContaining(expected));
    const stays = await query({ workflowId }, { kind: 'cohorts', ids: [] });
    expect(stays.map((row) => [row.cohort_id, row.stays])).toEqual(stays.map(() => [null, 0]));
  });
});

it('equals a slow query with 100,000 experiments', { tags: ['nightly'] }, async () => {
  const workflow = await generate(100_000);
  const { body, states, rows } = await read(workflow);
  expect(states.every(({ more }) => more)).toBe(true);
  expect(rows).toEqual((await slowly({ workflow, from: body.from, to: body.to, newest: maxStays })).toSorted(byName));
  const period = { from: body.from, to: body.to };
  const complete = await query({ workflowId: body.workflow.id, maxStays: 1e6, ...period });
  expect(complete.map(shown).toSorted(byName)).toEqual((await slowly({ workflow, ...period })).toSorted(byName));
});

/** Makes the actions of an experiment start at these minutes of a day. */
const setTimes = async (experiment: number, minutes: number[]) => {
  await server.sql(
    `update actions set start_time = timestamptz '2026-03-01T00:00:00Z' + given.minute * interval '1 minute', end_time = null, success = false
     from unnest($2::int[]) with ordinality as given (minute, sequence)
     where experiment_id = $1 and actions.sequence = given.sequence`,
    [experiment, minutes],
  );
};

const at = (minute: string) => `2026-03-01T${minute}:00Z`;
const march = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
const minutesIn = async (workflow: string, period = march) =>
  (await read(workflow, period)).rows
    .filter(({ cohort }) => cohort === null)
    .map(({ state, stays, median }) => [state, stays, median / 60]);

describe('a stay', () => {
  it('begins when the state is entered, continues with a retry, and ends with the next move', async () => {
    const queue = world.fresh('queue');
    const workflow = await world.importWorkflow(pulledWorkflow(queue));
    const experiment = await world.experimentOf(workflow);
    const [claim] = await world.claim(queue);
    await world.reportWithSecret(claim, { status: 'finished', result: 'failed' });
    await server.call('retryExperiment', { params: { id: experiment }, body: { reason: 'again' } });
    await world.move(experiment, 'other');
    await setTimes(experiment, [10, 30, 40]);
    expect((await world.actionsOf(experiment)).map((action) => action.retry_of !== null)).toEqual([false, true, false]);
    expect(await minutesIn(workflow)).toEqual([['run', 1, 30]]);
  });

  it('ends with a move to the same state, and with a correction', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    const experiment = await world.experimentOf(workflow);
    await world.move(experiment, 'arrived');
    const body = { state: 'segmented', reason: 'a mistake' };
    await server.call('placeExperiment', { params: { id: experiment }, body });
    await setTimes(experiment, [0, 10, 30]);
    expect(await minutesIn(workflow)).toEqual([['arrived', 2, 15]]);
  });

  it('counts with its whole length in the period in which it ended', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    const experiment = await world.experimentOf(workflow);
    await world.move(experiment, 'checked');
    await setTimes(experiment, [0, 60]);
    expect(await minutesIn(workflow, { from: at('00:30'), to: at('02:00') })).toEqual([['arrived', 1, 60]]);
    expect(await minutesIn(workflow, { from: at('01:00'), to: at('01:01') })).toEqual([['arrived', 1, 60]]);
    expect(await minutesIn(workflow, { from: at('00:00'), to: at('01:00') })).toEqual([]);
  });

  it('in a state that an upgrade has removed is still shown', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    const experiment = await world.experimentOf(workflow);
    const definition = walkedStates.replaceAll('arrived', 'started');
    await server.call('importWorkflow', {
      body: { workflow_definition: `label: ${workflow}\n${definition}`, state_map: { arrived: 'started' } },
    });
    await setTimes(experiment, [0, 60]);
    expect(await minutesIn(workflow)).toEqual([['arrived', 1, 60]]);
    const { states } = await read(workflow, { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' });
    expect(states.map(({ state }) => state.label)).toEqual(['started', 'checked', 'segmented', 'done']);
  });
});

it('also takes the id of the workflow', async () => {
  const workflow = await world.importWorkflow(walkedStates);
  const { body } = await read(workflow);
  expect((await read(body.workflow.id)).body.workflow).toEqual(body.workflow);
});
