/**
 * The pace of retries to one host. Starts are counted by the database clock, so a slow machine starts fewer in a second.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { endRun } from './end-run.ts';
import { startAttempts, type RunningAttempt } from './start-attempts.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(`states:
  - label: run
    callbacks: [{label: c, function: http, callback_arguments: {url: "https://xnat.example.org/"}}]
`);
});
afterAll(() => server.stop());

const perSecond = 5;
const start = (ids: readonly number[]) => startAttempts(engineContext(server, 'runCallback'), ids, 'w', perSecond);
const end = (started: readonly RunningAttempt[], host: string | undefined) =>
  Promise.all(
    started.map(({ execution, attempt }) =>
      endRun(engineContext(server, 'runCallback'), {
        executionId: execution.id,
        attempt,
        end: { kind: 'temporary', reason: 'Connection refused.', host },
        log: '',
      }),
    ),
  );

/** Creates runs that are due for a retry to this host. */
async function createFailed(count: number, host?: string): Promise<number[]> {
  const experiments = await Promise.all(Array.from({ length: count }, () => world.experimentOf(workflow)));
  const ids = await Promise.all(experiments.map(async (id) => (await world.executionOf(id, 'c')).id));
  const started = await start(ids);
  // First attempts are not paced.
  expect(started).toHaveLength(count);
  await end(started, host);
  await makeDue(ids);
  return ids;
}

/** Moves the next attempts of these runs into the past, as after an outage of the workers. */
const makeDue = (ids: readonly number[]) =>
  server.sql(
    `update callback_executions set next_attempt_at = now() - interval '10 minutes' where id = any($1) and next_attempt_at is not null`,
    [ids],
  );

/** Starts of attempts after the first, by second. */
const startsPerSecond = (ids: readonly number[]) =>
  server.sql<{ starts: number }>(
    `select count(*)::int as starts from execution_attempts where execution_id = any($1) and attempt > 1
     group by date_trunc('second', started_at)`,
    [ids],
  );
const mostPerSecond = async (ids: readonly number[]) =>
  Math.max(0, ...(await startsPerSecond(ids)).map(({ starts }) => starts));

interface Slot {
  id: number;
  at: number;
  job: number;
  left: number;
}
/** The slots of runs that wait for their turn, relative to the first, and how long after its slot each job starts. */
const slotsOf = (ids: readonly number[]) =>
  server.sql<Slot>(
    `select one.id::int, extract(epoch from next_attempt_at - min(next_attempt_at) over ())::float as at,
       extract(epoch from start_after - next_attempt_at)::float as job,
       extract(epoch from deadline - next_attempt_at)::float as left
     from callback_executions one join pgboss.job_common job on job.data ->> 'execution_id' = one.id::text
     where one.id = any($1) and retry_slot and one.attempt = 1 order by next_attempt_at, one.id`,
    [ids],
  );

describe('retries to one host', () => {
  it('start at most at the pace, and the others get consecutive slots', async () => {
    const ids = await createFailed(20, 'one.example.org');
    const started = await start(ids);
    expect(started.length).toBeLessThanOrEqual(perSecond);
    const slots = await slotsOf(ids);
    expect(slots).toHaveLength(20 - started.length);
    slots.forEach(({ at }, index) => expect(at).toBeCloseTo(index / perSecond, 2));
    // No job starts before its slot.
    for (const { job } of slots) expect(job).toBeGreaterThanOrEqual(-0.01);
    // Waiting for a slot is not running time.
    for (const { left } of slots) expect(left).toBeGreaterThan(59 * 60);
  });

  it('keep the pace in many workers at the same time', async () => {
    const ids = await createFailed(30, 'two.example.org');
    const halves = [ids.filter((_id, index) => index % 2 === 0), ids.filter((_id, index) => index % 2 === 1)];
    await Promise.all(halves.map(start));
    expect(await startsPerSecond(ids)).not.toEqual([]);
    expect(await mostPerSecond(ids)).toBeLessThanOrEqual(perSecond);
    expect((await slotsOf(ids)).length).toBeGreaterThanOrEqual(30 - 2 * perSecond);
  });

  it('keep the pace after all workers were away and every slot was missed', async () => {
    const ids = await createFailed(20, 'three.example.org');
    const running = new Set<number>();
    const startMissed = async () => {
      await makeDue(ids);
      for (const { execution } of await start(ids.filter((id) => !running.has(id)))) running.add(execution.id);
      return running.size;
    };
    await expect.poll(startMissed).toBe(ids.length);
    expect(await mostPerSecond(ids)).toBeLessThanOrEqual(perSecond);
  });

  it('start before new retries, which wait at the end of the line', async () => {
    const first = await createFailed(10, 'four.example.org');
    await start(first);
    const waiting = (await slotsOf(first)).map(({ id }) => id);
    // Keeps the line from ending before the next retries are created.
    await server.sql(`update retry_pace set next_slot = next_slot + interval '1 hour' where host = 'four.example.org'`);
    const later = await createFailed(3, 'four.example.org');
    expect(await start(later)).toEqual([]);
    const line = await slotsOf([...first, ...later]);
    expect(new Set(line.slice(-3).map(({ id }) => id))).toEqual(new Set(later));
    expect(line.slice(0, -3).map(({ id }) => id)).toEqual(waiting);
  });

  it('do not delay retries to other hosts or without one', async () => {
    const busy = await createFailed(15, 'five.example.org');
    await start(busy);
    const other = await createFailed(2, 'six.example.org');
    const without = await createFailed(12);
    expect(await start([...other, ...without])).toHaveLength(14);
  });
});
