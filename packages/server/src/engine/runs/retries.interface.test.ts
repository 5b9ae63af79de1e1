/**
 * Retries of temporary failures: how long, with which pauses, and how running time is counted. The tests set times back instead
 * of waiting.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { endRun, type RunEnd } from './end-run.ts';
import { reconcileLeases } from './recover-lost-work.ts';
import { startAttempts } from './start-attempts.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const calling = (more = '') => `states:
  - label: run
    callbacks: [{label: c, function: http, callback_arguments: {url: "https://xnat.example.org/"}${more}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}, {destination: other, by: person}]
  - {label: done}
  - {label: other}
`;

/** Creates a run whose attempts the test starts and ends. */
async function createRun(more = '') {
  const experiment = await world.experimentIn(calling(more));
  return { experiment, id: (await world.executionOf(experiment, 'c')).id };
}

async function start(id: number): Promise<number> {
  const [started] = await startAttempts(engineContext(server, 'runCallback'), [id], 'w');
  if (!started) throw new Error(`Execution ${id} was not started.`);
  return started.attempt;
}

const refused: RunEnd = { kind: 'temporary', reason: 'Connection refused.' };
/** Without jitter. */
const end = (executionId: number, attempt: number, with_: RunEnd) =>
  endRun(engineContext(server, 'runCallback'), { executionId, attempt, end: with_, log: '' }, () => 0.5);
const fail = async (id: number) => end(id, await start(id), refused);

/** Lets time pass until the next attempt, and more. The column has milliseconds, and would round `now()` up into the future. */
const pass = (id: number, interval = '0') =>
  server.sql(
    `update callback_executions as one set next_attempt_at = next_attempt_at - pause, deadline = deadline - pause,
       failing_since = failing_since - pause
     from (select next_attempt_at - date_trunc('milliseconds', now()) + $2::interval as pause from callback_executions where id = $1) as given
     where one.id = $1`,
    [id, interval],
  );

interface Row {
  status: string;
  result: string;
  last_error: string;
  run_log: string;
  pause: number;
  left: number;
}
const read = async (id: number): Promise<Row> => {
  const [row] = await server.sql<Row>(
    `select status, result, last_error, run_log,
       extract(epoch from next_attempt_at - ended_at)::float as pause,
       extract(epoch from deadline - coalesce(next_attempt_at, started_at))::float as left
     from callback_executions one join execution_attempts on execution_id = one.id and execution_attempts.attempt = one.attempt
     where one.id = $1`,
    [id],
  );
  if (!row) throw new Error(`Execution ${id} has no attempt.`);
  return row;
};
const pauseOf = async (id: number) => Math.round((await read(id)).pause);

describe('a run that fails temporarily', () => {
  it('is retried after pauses that double from 5 s to 5 minutes, and fails 45 minutes after the first failure', async () => {
    const { experiment, id } = await createRun();
    const pauses: number[] = [];
    for (await fail(id); (await read(id)).status === 'running'; await fail(id)) {
      pauses.push(await pauseOf(id));
      await pass(id);
    }
    expect(pauses.slice(0, 8)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    const paused = pauses.reduce((sum, pause) => sum + pause, 0);
    const [attempts] = await server.sql<{ seconds: number }>(
      `select extract(epoch from max(ended_at) - min(ended_at))::float as seconds from execution_attempts where execution_id = $1`,
      [id],
    );
    // The last attempt is at the end of the 45 minutes. The pauses are rounded to seconds.
    expect(paused).toBeLessThanOrEqual(45 * 60 + pauses.length);
    expect(paused + (attempts?.seconds ?? 0)).toBeGreaterThanOrEqual(45 * 60 - pauses.length);
    expect(await read(id)).toMatchObject({
      result: 'failed',
      last_error: 'Connection refused. Retried for 45 minutes without success.',
    });
    expect(await world.incidentsOf(experiment)).toEqual([{ kind: 'failed', open: true }]);
  });

  it('logs when it is retried', async () => {
    const { id } = await createRun();
    await fail(id);
    const { last_error, run_log } = await read(id);
    expect(last_error).toBe('Connection refused.');
    expect(run_log).toMatch(/Connection refused\.\nRetrying at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.\n$/);
  });

  it('uses `retry_for` and `retry_first` of its callback', async () => {
    const { id } = await createRun(', retry_for: 60, retry_first: 300');
    await fail(id);
    expect(await pauseOf(id)).toBe(300);
    await pass(id, '52 minutes');
    await fail(id);
    // 300 s would exceed the 60 minutes.
    expect(await pauseOf(id)).toBeLessThanOrEqual(180);
    await pass(id);
    await fail(id);
    expect(await read(id)).toMatchObject({
      status: 'finished',
      last_error: 'Connection refused. Retried for 60 minutes without success.',
    });
  });

  it('is not retried if `retry_for` is 0', async () => {
    const { id } = await createRun(', retry_for: 0');
    await fail(id);
    const last_error = 'Connection refused. Not retried, because `retry_for` is 0.';
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'failed', last_error });
  });

  it('does not start over with `retry_for` after a worker returned it to the queue', async () => {
    const { id } = await createRun();
    await fail(id);
    await pass(id);
    await fail(id);
    await pass(id, '50 minutes');
    await end(id, await start(id), { kind: 'returned', reason: 'The worker was shut down.' });
    await fail(id);
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'failed' });
  });

  it('is not retried after the experiment has moved', async () => {
    const { experiment, id } = await createRun();
    const attempt = await start(id);
    await world.move(experiment, 'other');
    await end(id, attempt, refused);
    expect(await read(id)).toMatchObject({ status: 'finished', last_error: 'Connection refused.' });
  });
});

/** Starts an attempt whose worker sends no heartbeats. */
const lose = async (id: number) => {
  await start(id);
  await world.loseLease(id);
  await reconcileLeases(engineContext(server, 'reconcile'));
};

describe('a run that loses its workers', () => {
  it('fails when the fifth is lost, however often it failed temporarily in between', async () => {
    const { id } = await createRun(', retry_for: 600');
    for (let lost = 1; lost <= 4; lost++) {
      await lose(id);
      await pass(id);
      await fail(id);
      await pass(id);
    }
    expect(await read(id)).toMatchObject({ status: 'running' });
    await lose(id);
    const last_error = 'The worker stopped sending heartbeats. The run has lost 5 workers.';
    expect(await read(id)).toMatchObject({ status: 'finished', result: 'failed', last_error });
  });

  it('is retried after about 5 s, even with another `retry_first` and without `retry_for`', async () => {
    const { id } = await createRun(', retry_for: 0, retry_first: 300');
    await lose(id);
    expect(await read(id)).toMatchObject({ status: 'running' });
    expect(Math.abs((await read(id)).pause - 5)).toBeLessThanOrEqual(1);
  });
});

describe('run_timeout', () => {
  it('does not count the time between two attempts', async () => {
    const { id } = await createRun(', run_timeout: 30');
    const attempt = await start(id);
    expect(Math.round((await read(id)).left)).toBe(30 * 60);
    // The attempt ran for 10 minutes.
    await server.sql(`update callback_executions set deadline = deadline - interval '10 minutes' where id = $1`, [id]);
    await end(id, attempt, refused);
    const { left } = await read(id);
    expect(left).toBeLessThanOrEqual(20 * 60);
    // The next attempt is late by 40 minutes.
    await pass(id, '40 minutes');
    expect(await checkTimeouts(engineContext(server, 'checkTimeouts'))).toEqual({ run_timeouts: 0, wait_timeouts: 0 });
    await start(id);
    expect(Math.abs((await read(id)).left - left)).toBeLessThan(0.01);
    await server.sql(`update callback_executions set deadline = deadline - interval '20 minutes' where id = $1`, [id]);
    expect(await checkTimeouts(engineContext(server, 'checkTimeouts'))).toMatchObject({ run_timeouts: 1 });
  });
});
