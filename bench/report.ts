/**
 * `npm run bench -- report`: a pulling worker's claim, renewal and report over HTTP, one execution at a time on 16 connections, relative
 * to pgbench writing the same rows. pgbench writes them in three transactions, as the server does.
 */
import { readFile } from 'node:fs/promises';
import { basic } from '@milepost/api';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { makeStudy, pulledCallback } from './callback-study.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { sendRequests } from './http-load.ts';
import { runScript, scriptConnections as connections } from './pgbench.ts';
import { dropOpenExecutions, queueExecutions, type FirstIds } from './queued-executions.ts';
import { atLeast, withoutGoal, type Row } from './result.ts';
import { expectSameRows } from './same-rows.ts';
import { password, withServer } from './server.ts';
import { alternate, compare, detailOf, speedOf, type Done, type Side } from './sides.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** More than either side reports. */
const queuedPerSecond = 1600;
const goal = 0.4;
const checkSeconds = 3;

export const benchReport = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(
      database.ownerUrl,
      queuedPerSecond * Math.max(2 * seconds, seconds + 2, checkSeconds),
      pulledCallback,
    );
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_POOL_SIZE: String(connections) };
    return withServer(settings, async ({ url, pid }) => {
      const sides = { product: httpSide(database, url, pid), bare: await pgbenchSide(database) };
      await expectSameRows(database, [sides.product, sides.bare], checkSeconds);
      const sizes = { size: seconds, warmUp: Math.min(seconds, 2), counted: Math.min(seconds, 2) };
      const options = { database, rounds, ...sizes };
      const { product, bare } = await alternate(sides, options);
      return [
        atLeast(goal, { name: 'report', ...compare(product, bare), detail: await detailOf(product, options) }),
        withoutGoal({ name: 'report in pgbench', ...speedOf(bare), detail: await detailOf(bare, options) }),
      ];
    });
  });

type Load = (first: FirstIds, forSeconds: number) => Promise<Done>;

/** The queue is filled once for the warm-up and the measurement. */
function sideOf(database: BenchDatabase, side: Pick<Side, 'name' | 'nodes'>, load: Load): Side {
  let queued: FirstIds = { experiment: 1, action: 0, execution: 0 };
  let before: Finished = { count: 0, taken: 0 };
  return {
    ...side,
    open: async (forSeconds) => {
      queued = await queueExecutions(database, queuedPerSecond * forSeconds, pulledCallback);
      before = { count: 0, taken: 0 };
    },
    run: async (forSeconds) => {
      const { experiment, action, execution } = queued;
      const { taken } = before;
      const next = { experiment: experiment + taken, action: action + taken, execution: execution + taken };
      const { seconds: elapsed } = await load(next, forSeconds);
      const finished = await readFinished(database, queued);
      const operations = finished.count - before.count;
      before = finished;
      return { operations, seconds: elapsed };
    },
    close: () => dropOpenExecutions(database.ownerUrl, pulledCallback),
  };
}

const httpSide = (database: BenchDatabase, url: string, pid: number) =>
  sideOf(database, { name: 'product', nodes: () => [pid] }, (_, forSeconds) =>
    sendRequests({
      url,
      script: 'report.lua',
      connections,
      authorization: basic('admin', password),
      seconds: forSeconds,
    }),
  );

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');

async function pgbenchSide(database: BenchDatabase): Promise<Side> {
  const text = `\\set n :n + 1
\\set place :n * ${connections} + :client_id
\\set id :first_experiment + :place
\\set execution :first_execution + :place
\\set action :first_action + :place
${await read('./execution-start.sql')};
${await read('./report-renew.sql')};
${await read('./report-finish.sql')};`;
  const constants = { n: -1, queue: pulledCallback.queue, request_id: '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11' };
  return sideOf(database, { name: 'pgbench', nodes: () => [] }, (first, forSeconds) => {
    const { experiment: first_experiment, action: first_action, execution: first_execution } = first;
    const variables = { ...constants, first_experiment, first_action, first_execution };
    return runScript(database.appUrl, { text, variables, seconds: forSeconds });
  });
}

interface Finished {
  count: number;
  /** All executions before this place in the queue were taken, or will be. */
  taken: number;
}

const readFinished = ({ ownerUrl }: BenchDatabase, { execution }: FirstIds): Promise<Finished> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<Finished & { queued: boolean }>(
      `select count(*) filter (where status = 'finished')::int as count, bool_or(status = 'queued') as queued,
         coalesce(max(id) filter (where status <> 'queued') + 1 - $1, 0)::int as taken
       from callback_executions where id >= $1`,
      [execution],
    );
    if (!rows[0]?.queued) throw new Error('The queue ran empty. Raise queuedPerSecond in bench/report.ts.');
    return rows[0];
  });
