/**
 * `npm run bench -- bulk`: a bulk move of 100,000 experiments by a worker, relative to one statement that writes the same rows. During two
 * more, at full speed and at the usual rate, single moves of other experiments are sent over HTTP, and their latency is compared with that before.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '@milepost/api';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { makeStudy, pulledCallback } from './callback-study.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { dropOpenExecutions } from './queued-executions.ts';
import { atLeast, atMost, withoutGoal, type Row } from './result.ts';
import { password, withServer } from './server.ts';

const experiments = Number(process.env['BENCH_EXPERIMENTS'] ?? 100_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Moved one by one, and not part of the bulk moves. */
const singles = 200;
const singlesPerSecond = 20;
const usualSeconds = 10;
const warmUp = 1000;
const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
const speed = String(100_000);
/** The default of MILEPOST_BULK_PER_SECOND, for 20 seconds. */
const usualRate = 500;
const atUsualRate = 20 * usualRate;

interface Round {
  bulkSeconds: number;
  bareSeconds: number;
  /** Milliseconds, 95th percentiles. */
  usual: number;
  atFullSpeed: number;
  atUsualRate: number;
}

export const benchBulk = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, experiments + singles, pulledCallback);
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_BULK_PER_SECOND: speed };
    return withServer(settings, async ({ baseUrl }) => {
      const worker = await startWorkerProcess(settings);
      try {
        const measured: Round[] = [];
        // Statistics of empty tables would let PostgreSQL read them as a whole.
        await runBulk(baseUrl, await check(baseUrl, warmUp));
        await moveAllBack(database);
        for (let n = 0; n < rounds; n++) measured.push(await measure(database, baseUrl));
        return rowsOf(measured);
      } finally {
        await worker.stop();
      }
    });
  });

async function measure(database: BenchDatabase, baseUrl: string): Promise<Round> {
  const bareSeconds = await runBare(database, await check(baseUrl));
  await moveAllBack(database);
  const bulkSeconds = await runBulk(baseUrl, await check(baseUrl));
  await moveAllBack(database);
  const during = (run: () => Promise<unknown>) => latencyDuring(database, baseUrl, run);
  const usual = await during(() => sleep(1000 * usualSeconds));
  const slowId = await check(baseUrl, atUsualRate);
  const slow = await during(() => runBulk(baseUrl, slowId, usualRate));
  const fastId = await check(baseUrl);
  const fast = await during(() => runBulk(baseUrl, fastId));
  const round = { bulkSeconds, bareSeconds, usual, atFullSpeed: fast, atUsualRate: slow };
  console.log(
    Object.entries(round)
      .map(([name, value]) => `${name} ${value.toFixed(1)}`)
      .join(', '),
  );
  return round;
}

async function latencyDuring(database: BenchDatabase, baseUrl: string, run: () => Promise<unknown>): Promise<number> {
  const moves = sendMoves(baseUrl);
  await run();
  const found = p95(moves.times);
  await moves.stop();
  await moveAllBack(database);
  return found;
}

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

async function send(baseUrl: string, method: string, path: string, body?: object) {
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as {
    id: number;
    status: string;
    ready: number;
    started_at: string;
    stopped_because: string | null;
    ended_at: string;
  };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

async function until(baseUrl: string, id: number, status: string) {
  for (;;) {
    const operation = await send(baseUrl, 'GET', `/bulk_operations/${id}`);
    if (operation.status === status) return operation;
    if (operation.status === 'stopped') throw new Error(operation.stopped_because ?? '');
    await sleep(200);
  }
}

/** The dry run is not measured. */
async function check(baseUrl: string, count = experiments): Promise<number> {
  const body = { kind: 'move', state: 'working', query: `id<=${count}`, dry_run: true };
  const { id } = await send(baseUrl, 'POST', '/bulk_operations', body);
  const { ready } = await until(baseUrl, id, 'checked');
  if (ready !== count) throw new Error(`${ready} of ${count} experiments are ready.`);
  return id;
}

async function runBulk(baseUrl: string, id: number, rate?: number): Promise<number> {
  await send(baseUrl, 'POST', `/bulk_operations/${id}/apply`, { reason: 'Bench', rate });
  const { started_at, ended_at } = await until(baseUrl, id, 'finished');
  return (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
}

/** Statistics of the items let PostgreSQL expect as many rows as there are. */
async function runBare({ appUrl, ownerUrl }: BenchDatabase, id: number): Promise<number> {
  await query(ownerUrl, 'analyze bulk_items');
  const text = await readFile(new URL('./bulk-move.sql', import.meta.url), 'utf8');
  return withClient(appUrl, async (client) => {
    const start = performance.now();
    await client.query(text.replaceAll(':operation', String(id)));
    return (performance.now() - start) / 1000;
  });
}

/** Moves the other experiments back and forth. */
function sendMoves(baseUrl: string) {
  const times: number[] = [];
  const sent: Promise<unknown>[] = [];
  let n = 0;
  const timer = setInterval(() => {
    const id = experiments + 1 + (n % singles);
    const state_label = Math.floor(n / singles) % 2 === 0 ? 'working' : 'resting';
    n++;
    const start = performance.now();
    sent.push(
      send(baseUrl, 'PUT', `/experiments/${id}/state`, { state_label }).then(() =>
        times.push(performance.now() - start),
      ),
    );
  }, 1000 / singlesPerSecond);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(sent);
  };
  return { times, stop };
}

async function moveAllBack({ ownerUrl }: BenchDatabase): Promise<void> {
  await dropOpenExecutions(ownerUrl, pulledCallback);
  await query(
    ownerUrl,
    `insert into actions (experiment_id, sequence, transition_id, end_time, success, return_value, actor_kind)
     select id, action_sequence + 1, 3, clock_timestamp() + interval '1 s', true, 'No callback for state', 'operator'
     from experiments where state_id = 2`,
    `update experiments set state_id = 1, action_sequence = action_sequence + 1, version = version + 1 where state_id = 2`,
    `vacuum analyze`,
  );
}

const rowsOf = (measured: readonly Round[]): Row[] => [
  atLeast(0.4, {
    name: 'bulk',
    unit: 'of one statement',
    rounds: measured.map(({ bareSeconds, bulkSeconds }) => bareSeconds / bulkSeconds),
    limit: 'Each set of 500 is read, decided in Node and written in parts of 100, one set after the other.',
  }),
  atMost(2, {
    name: 'bulk, p95 of single moves during one with 500 in a second',
    unit: 'of the usual p95',
    rounds: measured.map((round) => round.atUsualRate / round.usual),
    limit: 'The worker and its connection to PostgreSQL take CPU from the server.',
  }),
  atMost(2, {
    name: 'bulk, p95 of single moves during one at full speed',
    unit: 'of the usual p95',
    rounds: measured.map((round) => round.atFullSpeed / round.usual),
    limit: 'The worker and its connection to PostgreSQL take CPU from the server.',
  }),
  withoutGoal({
    name: 'bulk, experiments in a second',
    unit: '/s',
    rounds: measured.map(({ bulkSeconds }) => experiments / bulkSeconds),
    limit: 'See bulk.',
  }),
];
