/**
 * `npm run bench -- drain`: 20,000 executions of an empty callback by two worker processes, relative to pgbench writing the same rows
 * for start and end. As in the workers, start and end are committed separately, but pgbench writes each for one execution at a time.
 * pg-boss alone is measured for orientation: it completes jobs of one row.
 */
import { readFile } from 'node:fs/promises';
import { startWorkerProcess, type WorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { emptyCallback, makeStudy } from './callback-study.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { bossSide } from './pg-boss-jobs.ts';
import { runScript, scriptConnections } from './pgbench.ts';
import { queueExecutions, untilEnded, type FirstIds } from './queued-executions.ts';
import { atLeast, withoutGoal, type Row } from './result.ts';
import { expectSameRows } from './same-rows.ts';
import { alternate, compare, detailOf, speedOf, type Side } from './sides.ts';

/** A multiple of 160, which pgbench divides among its connections. */
const executions = Number(process.env['BENCH_EXECUTIONS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const goal = 0.5;
const few = 80;

export const benchDrain = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, executions);
    const sides = { workers: workersSide(database), bare: await pgbenchSide(database), boss: bossSide(database) };
    await expectSameRows(database, [sides.workers, sides.bare], few);
    const options = { database, rounds, size: executions, warmUp: 0, counted: executions / 10 };
    const { workers, bare, boss } = await alternate(sides, options);
    return [
      atLeast(goal, { name: 'drain', ...compare(workers, bare), detail: await detailOf(workers, options) }),
      withoutGoal({ name: 'drain in pgbench', ...speedOf(bare), detail: await detailOf(bare, options) }),
      withoutGoal({ name: 'drain, of pg-boss', ...compare(workers, boss), detail: await detailOf(boss, options) }),
    ];
  });

/** The workers are ready before the jobs exist, and frozen until the measurement starts. */
function workersSide(database: BenchDatabase): Side {
  let workers: WorkerProcess[] = [];
  let first: FirstIds = { experiment: 1, action: 0, execution: 0 };
  const settings = { DATABASE_URL: database.appUrl };
  return {
    name: 'workers',
    nodes: () => workers.map(({ pid }) => pid),
    open: async (count) => {
      workers = await Promise.all([startWorkerProcess(settings), startWorkerProcess(settings)]);
      for (const worker of workers) worker.signal('SIGSTOP');
      first = await queueExecutions(database, count, emptyCallback);
    },
    run: async (count) => {
      for (const worker of workers) worker.signal('SIGCONT');
      return { operations: count, seconds: await untilEnded(database, first) };
    },
    close: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
}

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8');

async function pgbenchSide(database: BenchDatabase): Promise<Side> {
  let variables: Record<string, number | string> = {};
  const text = `\\set n :n + 1
\\set id :client_id * :times + :n
\\set execution :first_execution + :id - 1
\\set action :first_action + :id - 1
${await read('./execution-start.sql')};
${await read('./drain-end.sql')};`;
  return {
    name: 'pgbench',
    nodes: () => [],
    open: async (count) => {
      const first = await queueExecutions(database, count, emptyCallback);
      const times = count / scriptConnections;
      variables = {
        n: 0,
        times,
        first_execution: first.execution,
        first_action: first.action,
        queue: emptyCallback.queue,
      };
    },
    run: async (count) => runScript(database.appUrl, { text, variables, times: count / scriptConnections }),
  };
}
