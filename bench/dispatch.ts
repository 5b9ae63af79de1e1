/**
 * `npm run bench -- dispatch`: the time from a move to the start of its callback, at a fixed rate of 50 moves per second over
 * HTTP, independent of the responses, with one server and one worker process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '@milepost/api';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { makeStudy } from './callback-study.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, type Row } from './result.ts';
import { password, withServer } from './server.ts';

const perSecond = 50;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = 3;
const goal = 100;

export const benchDispatch = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, perSecond * seconds * (rounds + 1));
    const { result: found, use } = await withServer({ DATABASE_URL: database.appUrl }, async ({ url, pid }) => {
      const worker = await startWorkerProcess({ DATABASE_URL: database.appUrl });
      const processes = { Node: [pid, worker.pid], PostgreSQL: database.pid };
      const measured = await measureUse(database.ownerUrl, processes, () => measure(url, database));
      await worker.stop();
      return measured;
    });
    const shown = { unit: 'ms', limit: limitOf([use]) };
    return [
      atMost(goal, { name: 'dispatch', rounds: found.map((one) => one.p95), ...shown }),
      atMost(goal, { name: 'dispatch, median', rounds: found.map((one) => one.p50), ...shown }),
    ];
  });

interface Latencies {
  p50: number;
  p95: number;
}

async function measure(url: string, { ownerUrl }: BenchDatabase): Promise<Latencies[]> {
  const found: Latencies[] = [];
  let next = 1;
  for (let round = 0; round <= rounds; round++) {
    const first = next;
    next += await moveSteadily(url, next);
    const latencies = await readLatencies(ownerUrl, first, next);
    // Round 0 is the warm-up.
    if (round > 0) found.push(latencies);
    if (round > 0)
      console.log(`round ${round}: p50 ${latencies.p50.toFixed(1)} ms, p95 ${latencies.p95.toFixed(1)} ms`);
  }
  return found;
}

/** Returns the number of moves. Each is sent on schedule, without waiting for the previous response. */
async function moveSteadily(url: string, first: number): Promise<number> {
  const count = perSecond * seconds;
  const started = performance.now();
  const statuses: Promise<number>[] = [];
  for (let n = 0; n < count; n++) {
    const early = started + (n * 1000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    statuses.push(move(url, first + n));
  }
  const failed = (await Promise.all(statuses)).filter((status) => status !== 200).length;
  if (failed > 0) throw new Error(`${failed} of ${count} moves failed`);
  return count;
}

async function move(url: string, id: number): Promise<number> {
  const { status } = await fetch(`${url}/api/v2/experiments/${id}/state`, {
    method: 'PUT',
    headers: { authorization: basic('admin', password), 'content-type': 'application/json' },
    body: '{"state_label":"working"}',
  });
  return status;
}

const readLatencies = (url: string, first: number, next: number): Promise<Latencies> =>
  withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<Latencies & { left: number }>(
        `select count(*) filter (where run_start is null)::int as left,
           percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.95) within group (order by ms) as p95
         from (select run_start, extract(epoch from run_start - start_time)::float * 1000 as ms
           from callback_executions join actions on actions.id = action_id where experiment_id >= $1 and experiment_id < $2) one`,
        [first, next],
      );
      const [row] = rows;
      if (row?.left === 0) return { p50: row.p50, p95: row.p95 };
      await sleep(100);
    }
  });
