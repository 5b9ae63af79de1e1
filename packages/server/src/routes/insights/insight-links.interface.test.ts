/**
 * The queries to which figures link find the experiments that the figures count, and those of the walks that were counted.
 *
 * @module-tag sql
 */
import type { Insights } from '@milepost/api';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld } from '../../../testing/engine-world.ts';
import { countAllInsights } from '../../../testing/count-insights.ts';
import { insertRandomStays, walkedStates, type Entry } from '../../../testing/rows/random-stays.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { rebuildInsights } from '../../store/insights/progress.ts';

let server: TestServer;
let moves: { from: number | undefined; to: number; experiment: number; at: string }[];
let shown: Static<typeof Insights>;
beforeAll(async () => {
  server = await startTestServer();
  const workflow = await createEngineWorld(server).importWorkflow(walkedStates);
  moves = movesOf(await insertRandomStays(server, { workflow, experiments: 1000, seed }));
  await rebuildInsights(server.database.db);
  await countAllInsights(server.database.db);
  const [found] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [workflow]);
  shown = (await server.call('getInsights', { query: { workflow_id: found?.id ?? 0, weeks: 6 } })).body as typeof shown;
});
afterAll(() => server.stop());

/** Without retries, which are no moves. */
function movesOf(journal: readonly Entry[]): typeof moves {
  const states = new Map<number, number>();
  return journal.flatMap(({ experiment, state, at, isRetry }) => {
    const from = states.get(experiment);
    states.set(experiment, state);
    return isRetry ? [] : [{ from, to: state, experiment, at }];
  });
}

async function find(q: string): Promise<number> {
  const { body } = await server.call('searchExperiments', { query: { q, limit: 1 } });
  return (body.states as { experiments: number }[]).reduce((sum, one) => sum + one.experiments, 0);
}

const experimentsOf = (wanted: (move: (typeof moves)[number]) => boolean) =>
  new Set(moves.filter(wanted).map(({ experiment }) => experiment)).size;

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const sumOf = (week: string, of: 'arrived' | 'finished') =>
  shown.flow.filter((row) => row.week === week).reduce((sum, row) => sum + row[of], 0);

describe('the links of a week', () => {
  it('find the experiments that arrived', async () => {
    for (const week of shown.weeks) {
      expect(sumOf(week, 'arrived')).toBeGreaterThan(0);
      expect(await find(`arrived:${week}..${dayAfter(week, 6)}`)).toBe(sumOf(week, 'arrived'));
    }
  });

  it('find the experiments that finished, each of which can finish again after a correction', async () => {
    const final = shown.stays.find((row) => row.final)?.state.id;
    for (const week of shown.weeks) {
      const next = dayAfter(week, 7);
      const isCounted = ({ from, to, at }: (typeof moves)[number]) =>
        to === final && from !== final && at >= week && at < next;
      expect(moves.filter(isCounted)).toHaveLength(sumOf(week, 'finished'));
      expect(await find(`finished:${week}..${dayAfter(week, 6)}`)).toBe(experimentsOf(isCounted));
    }
  });
});

it('the links of a state find the experiments that entered and left it', async () => {
  const { from: first, stays } = shown;
  expect(stays).toHaveLength(4);
  for (const { state, stays: count } of stays) {
    const hasLeft = ({ from, at }: (typeof moves)[number]) => from === state.id && at >= first;
    expect(moves.filter(hasLeft)).toHaveLength(count);
    expect(await find(`left.${state.label}:${first}..`)).toBe(experimentsOf(hasLeft));
    const entered = experimentsOf(({ to, at }) => to === state.id && at >= first);
    expect(await find(`entered.${state.label}:${first}..`)).toBe(entered);
  }
});
