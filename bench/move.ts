/**
 * `npm run bench -- move`: moves over HTTP with Basic authentication along a cycle of two states, with history, event, counts and
 * callback, relative to pgbench and to a bare handler (ceiling.ts) that write the same rows. All run on the same database.
 *
 * Entering `working` creates an execution and its job in a queue that no worker claims. Moving back skips the execution and deletes
 * the job. Each move therefore writes the same however long the benchmark runs: at most 64 jobs exist at a time, and all other rows are
 * only appended. Without a worker, the counts are not folded.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import { startProgram } from '../packages/server/testing/processes/program-process.ts';
import { makeStudy, pulledCallback } from './callback-study.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { sendRequests } from './http-load.ts';
import { runScript, scriptConnections } from './pgbench.ts';
import { dropOpenExecutions } from './queued-executions.ts';
import { atLeast, withoutGoal, type Row } from './result.ts';
import { expectSameRows } from './same-rows.ts';
import { password, withServer } from './server.ts';
import { alternate, compare, detailOf, speedOf, type Rounds, type Side } from './sides.ts';

const experiments = 10_000;
const connections = scriptConnections;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const goal = 0.6;
const goalOfCeiling = 0.85;
/** Long enough for a server that has just started. */
const checkSeconds = 3;
const authorization = basic('admin', password);

export const benchMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, experiments, pulledCallback);
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_POOL_SIZE: String(connections) };
    return withServer(settings, (server) =>
      withCeiling(database, async (ceiling) => {
        const product = httpSide('product', server, database);
        const bareHandler = httpSide('ceiling', ceiling, database);
        const bare = await pgbenchSide(database);
        await expectSameRows(database, [product, bareHandler, bare], checkSeconds);
        const sizes = { size: seconds, warmUp: Math.min(seconds, 2), counted: Math.min(seconds, 2) };
        return measure({ product, ceiling: bareHandler, bare }, { database, rounds, ...sizes });
      }),
    );
  });

async function measure(sides: Record<'product' | 'ceiling' | 'bare', Side>, options: Rounds): Promise<Row[]> {
  const { product, ceiling, bare } = await alternate(sides, options);
  return [
    atLeast(goal, { name: 'move', ...compare(product, bare), detail: await detailOf(product, options) }),
    atLeast(goalOfCeiling, { name: 'move, of the ceiling', ...compare(product, ceiling) }),
    withoutGoal({ name: 'ceiling', ...compare(ceiling, bare), detail: await detailOf(ceiling, options) }),
    withoutGoal({ name: 'move in pgbench', ...speedOf(bare), detail: await detailOf(bare, options) }),
  ];
}

async function withCeiling<T>(
  { appUrl }: BenchDatabase,
  use: (ceiling: { url: string; pid: number }) => Promise<T>,
): Promise<T> {
  const file = fileURLToPath(new URL('./ceiling.ts', import.meta.url));
  const settings = { DATABASE_URL: appUrl, BENCH_AUTHORIZATION: authorization };
  const { matched, pid, stop } = await startProgram({ file, flags: [] }, settings, /Ceiling at (\S+)/);
  try {
    return await use({ url: matched[0] ?? '', pid });
  } finally {
    await stop();
  }
}

const httpSide = (name: string, { url, pid }: { url: string; pid: number }, database: BenchDatabase): Side => ({
  name,
  nodes: () => [pid],
  run: (forSeconds) => sendRequests({ url, script: 'move.lua', connections, authorization, seconds: forSeconds }),
  settle: () => moveAllBack(database),
  close: () => moveAllBack(database),
});

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');

/** Each connection moves its own experiments. A transaction of the script is two moves. */
async function pgbenchSide({ appUrl }: BenchDatabase): Promise<Side> {
  const own = experiments / connections;
  const text = `\\set n :n + 1
\\set id :client_id * ${own} + :n % ${own} + 1
${await read('./move-enter.sql')} \\gset
${await read('./move-leave.sql')};`;
  const request_id = '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11';
  const run = async (forSeconds: number) => {
    const n = Math.floor(Math.random() * own);
    const done = await runScript(appUrl, { text, variables: { n, request_id }, seconds: forSeconds });
    return { ...done, operations: 2 * done.operations };
  };
  return { name: 'pgbench', nodes: () => [], run };
}

/** Moves back the experiments that the load left in `working` when its time was up. */
async function moveAllBack({ ownerUrl }: BenchDatabase): Promise<void> {
  await dropOpenExecutions(ownerUrl, pulledCallback);
  await query(
    ownerUrl,
    `insert into actions (experiment_id, sequence, transition_id, end_time, success, return_value, actor_kind)
     select id, action_sequence + 1, 3, clock_timestamp() + interval '1 s', true, 'No callback for state', 'operator'
     from experiments where state_id = 2`,
    `update experiments set state_id = 1, action_sequence = action_sequence + 1, version = version + 1 where state_id = 2`,
  );
}
