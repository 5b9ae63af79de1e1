/**
 * The counted figures are those of slow queries, whatever happens to experiments, and equal to those of a rebuild.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { insertRandomStays, walkedStates } from '../../../testing/rows/random-stays.ts';
import { countAllInsights } from '../../../testing/count-insights.ts';
import { countedInsights, trueInsights } from '../../../testing/rows/true-insights.ts';
import { eraseSubjectOf, withdrawSubjectOf } from '../../../testing/withdraw-and-erase.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';
import { withClient } from '../../../testing/test-database.ts';
import { readCountedUpTo, rebuildInsights } from '../../store/insights/progress.ts';
import { countInsights } from './count-insights.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const sql = <T extends object>(text: string, values?: unknown[]) => server.sql<T>(text, values);

async function expectExact(): Promise<void> {
  await countAllInsights(server.database.db);
  const counted = await countedInsights(sql);
  expect(counted).toEqual(await trueInsights(sql));
}

/** Deletes all figures and counts them again. */
async function expectSameAfterRebuild(): Promise<void> {
  const before = await countedInsights(sql);
  await rebuildInsights(server.database.db);
  await countAllInsights(server.database.db);
  expect(await countedInsights(sql)).toEqual(before);
}

describe('the counted figures', () => {
  it('are those of generated experiments, also of more than one step', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    await insertRandomStays(server, { workflow, experiments: 1200, seed });
    await rebuildInsights(server.database.db);
    await expectExact();
    const { moves, levels, stays } = await countedInsights(sql);
    expect(moves.length).toBeGreaterThan(1000);
    expect(levels.length).toBeGreaterThan(8);
    expect(stays.length).toBeGreaterThan(1000);
  });

  it('follow moves, corrections and runs as they happen', async () => {
    const queue = world.fresh('queue');
    const workflow = await world.importWorkflow(pulledWorkflow(queue));
    const ids = [
      await world.experimentOf(workflow),
      await world.experimentOf(workflow),
      await world.experimentOf(workflow),
    ];
    await expectExact();
    const [first = 0, second = 0, third = 0] = ids;
    await world.finish((await world.executionOf(first, 'c')).id, 'success');
    await world.finish((await world.executionOf(second, 'c')).id, 'failed');
    await world.move(third, 'other');
    await expectExact();
    await server.call('placeExperiment', { params: { id: first }, body: { state_label: 'run', reason: 'again' } });
    await server.call('retryExperiment', { params: { id: second }, body: {} });
    // The report of a run whose experiment has moved on.
    await world.finish((await world.executionOf(third, 'c')).id, 'failed');
    await expectExact();
    expect((await countedInsights(sql)).causes.length).toBeGreaterThan(0);
    await expectSameAfterRebuild();
  });

  it('follow an experiment to another cohort, and leave out withdrawn and erased subjects', async () => {
    const queue = world.fresh('queue');
    const workflow = await world.importWorkflow(pulledWorkflow(queue));
    const [moved, withdrawn] = [await world.experimentOf(workflow), await world.experimentOf(workflow)];
    for (const id of [moved, withdrawn]) await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    await expectExact();
    const subjectOf = async (id: number): Promise<number> =>
      (await server.call('getExperiment', { params: { id } })).body.subject.id;
    const other = await world.subject();
    const cohort = (await server.call('getSubject', { params: { id: other.id } })).body.cohort.label;
    const renamed = { cohort_label: cohort, label: world.fresh('subject') };
    const { status } = await server.call('updateSubject', { params: { id: await subjectOf(moved) }, body: renamed });
    expect(status).toBe(200);
    await expectExact();
    const before = await countedInsights(sql);
    await withdrawSubjectOf(server, withdrawn);
    await expectExact();
    const after = await countedInsights(sql);
    expect(after).not.toEqual(before);
    await eraseSubjectOf(server, moved);
    await expectExact();
    expect(await countedInsights(sql)).not.toEqual(after);
    await expectSameAfterRebuild();
  });

  it('are counted once by workers that count at the same time', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    await insertRandomStays(server, { workflow, experiments: 900, seed: seed + 1 });
    await rebuildInsights(server.database.db);
    await Promise.all(Array.from({ length: 4 }, () => countInsights(server.database.db)));
    await expectExact();
  });

  it('are complete although events were removed before they were counted', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    await expectExact();
    const id = await world.experimentOf(workflow);
    await world.move(id, 'checked');
    await server.sql(
      'with last as (select xid, id from events order by xid desc, id desc limit 1), removed as (delete from events) ' +
        'update forgotten_events set xid = last.xid, id = last.id from last',
    );
    await expectExact();
  });

  it('are complete after the database was restored into a cluster that is behind', async () => {
    const workflow = await world.importWorkflow(walkedStates);
    await expectExact();
    await server.sql(`update insight_progress set xid = '9000000000000000000'`);
    await world.move(await world.experimentOf(workflow), 'checked');
    await countInsights(server.database.db);
    await world.move(await world.experimentOf(workflow), 'checked');
    await expectExact();
  });

  it('are counted up to the beginning of the oldest transaction that writes', async () => {
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      await client.query('begin');
      const { rows } = await client.query<{ at: Date }>('select now() as at, pg_current_xact_id()');
      await countInsights(server.database.db);
      const { at } = await readCountedUpTo(server.database.db);
      expect(new Date(at ?? 0).getTime()).toBeLessThanOrEqual(rows[0]?.at.getTime() ?? 0);
      await client.query('rollback');
    });
    const [row] = await sql<{ now: Date }>('select clock_timestamp() as now');
    // Transactions of other tests count, too, so it can take until they have ended.
    const isPast = async () => {
      await countInsights(server.database.db);
      const { at } = await readCountedUpTo(server.database.db);
      return new Date(at ?? 0).getTime() >= (row?.now.getTime() ?? Number.NaN) - 1;
    };
    await vi.waitUntil(isPast, { interval: 50, timeout: hangLimitMs });
  });
});
