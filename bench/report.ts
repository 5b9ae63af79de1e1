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
    await makeStudy(database.ownerUrl, queuedPerSecond * Math.max(seconds, checkSeconds), pulledCallback);
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_POOL_SIZE: String(connections) };
    return withServer(settings, async ({ url, pid }) => {
      const sides = { product: httpSide(database, url, pid), bare: await pgbenchSide(database) };
      await expectSameRows(database, [sides.product, sides.bare], checkSeconds);
      const sizes = { size: seconds, warmUp: Math.min(seconds, 5), counted: Math.min(seconds, 2) };
      const options = { database, rounds, ...sizes };
      const { product, bare } = await alternate(sides, options);
      return [
        atLeast(goal, { name: 'report', ...compare(product, bare), detail: await detailOf(product, options) }),
        withoutGoal({ name: 'report in pgbench', ...speedOf(bare), detail: await detailOf(bare, options) }),
      ];
    });
  });

type Load = (first: FirstIds, forSeconds: number) => Promise<Done>;

function sideOf(database: BenchDatabase, side: Pick<Side, 'name' | 'nodes'>, load: Load): Side {
  let first: FirstIds = { action: 0, execution: 0 };
  return {
    ...side,
    open: async (forSeconds) => {
      first = await queueExecutions(database, queuedPerSecond * forSeconds, pulledCallback);
    },
    run: async (forSeconds) => {
      const done = await load(first, forSeconds);
      return { ...done, operations: await countFinished(database, first) };
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
\\set id :n * ${connections} + :client_id + 1
\\set execution :first_execution + :id - 1
\\set action :first_action + :id - 1
${await read('./execution-start.sql')};
${await read('./report-renew.sql')};
${await read('./report-finish.sql')};`;
  const constants = { n: -1, queue: pulledCallback.queue, request_id: '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11' };
  return sideOf(database, { name: 'pgbench', nodes: () => [] }, (first, forSeconds) => {
    const variables = { ...constants, first_execution: first.execution, first_action: first.action };
    return runScript(database.appUrl, { text, variables, seconds: forSeconds });
  });
}

const countFinished = ({ ownerUrl }: BenchDatabase, first: FirstIds): Promise<number> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ finished: number; queued: boolean }>(
      `select count(*) filter (where status = 'finished')::int as finished, bool_or(status = 'queued') as queued
       from callback_executions where id >= $1`,
      [first.execution],
    );
    if (!rows[0]?.queued) throw new Error('The queue ran empty. Raise queuedPerSecond in bench/report.ts.');
    return rows[0].finished;
  });
