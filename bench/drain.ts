/**
 * `npm run bench -- drain`: 20,000 executions of an empty callback by two worker processes, relative to pg-boss alone with as
 * many empty jobs in two processes. Both run on the same database, one after the other.
 */
import { once } from 'node:events';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { openDatabase } from '../packages/server/src/database/connection.ts';
import { insertJobs } from '../packages/server/src/jobs/insert-jobs.ts';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { makeStudy } from './callback-study.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { median, rounded, spreadOf, type Row } from './result.ts';

const executions = Number(process.env['BENCH_EXECUTIONS'] ?? 20_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const goal = 0.5;

export const benchDrain = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, executions);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const [ours, bare] = [await drainedPerSecond(database, round), await barePerSecond(database)];
      ratios.push(ours / bare);
      console.log(
        `round ${round}: ${ours.toFixed(0)} executions/s, ${bare.toFixed(0)} pg-boss jobs/s, ratio ${(ours / bare).toFixed(2)}`,
      );
    }
    const figure = rounded(median(ratios));
    return [{ name: 'drain', goal, figure, unit: 'of pg-boss', spread: spreadOf(ratios), met: figure >= goal }];
  });

/** Moves all experiments into the state with the callback at once. */
async function enqueue({ ownerUrl, appUrl }: BenchDatabase, round: number): Promise<void> {
  await query(
    ownerUrl,
    `update experiments set state_id = 2, action_sequence = ${round + 1}, version = version + 1`,
    `insert into actions (experiment_id, sequence, transition_id, actor_kind)
     select id, ${round + 1}, 2, 'operator' from experiments`,
    `insert into callback_executions (action_id, callback_id, callback_version)
     select id, 1, 1 from actions where sequence = ${round + 1}`,
  );
  const pools = { poolSize: 1, streamPoolSize: 1, statementSeconds: 5 };
  const { db, close } = openDatabase({ databaseUrl: appUrl, ...pools, onError: console.error });
  await insertJobs(sql`
    select callback_executions.id, 'callbacks', 1, false, created, 0 from callback_executions where status = 'queued'`).execute(
    db,
  );
  await close();
  await query(ownerUrl, 'vacuum analyze');
}

async function drainedPerSecond(database: BenchDatabase, round: number): Promise<number> {
  await enqueue(database, round);
  const settings = { DATABASE_URL: database.appUrl };
  const workers = await Promise.all([startWorkerProcess(settings), startWorkerProcess(settings)]);
  await untilNone(
    database.ownerUrl,
    `select count(*)::int as left from callback_executions where status <> 'finished'`,
  );
  await Promise.all(workers.map((worker) => worker.stop()));
  return perSecond(
    database.ownerUrl,
    `select extract(epoch from max(finished) - min(run_start)) as seconds from callback_executions
     join actions on actions.id = action_id where sequence = ${round + 1}`,
  );
}

async function barePerSecond({ ownerUrl }: BenchDatabase): Promise<number> {
  const file = fileURLToPath(new URL('./bare-worker.ts', import.meta.url));
  const start = () => fork(file, [ownerUrl], { execArgv: ['--conditions=source'] });
  const [first, second] = [start(), start()];
  const workers = [first, second];
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  first.send(executions);
  await once(first, 'message');
  // Without table statistics, each fetch reads all jobs and pg-boss is up to 30 times slower.
  await query(ownerUrl, 'vacuum analyze');
  for (const worker of workers) worker.kill('SIGUSR2');
  await untilNone(ownerUrl, `select count(*)::int as left from pgboss.job where name = 'bare' and state < 'completed'`);
  await Promise.all(workers.map((worker) => (worker.kill(), once(worker, 'exit'))));
  const rate = await perSecond(
    ownerUrl,
    `select extract(epoch from max(completed_on) - min(started_on)) as seconds from pgboss.job where name = 'bare'`,
  );
  await query(ownerUrl, `delete from pgboss.job where name = 'bare'`);
  return rate;
}

async function untilNone(url: string, text: string): Promise<void> {
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ left: number }>(text);
      if (rows[0]?.left === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
}

const perSecond = (url: string, text: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ seconds: string }>(text);
    return executions / Number(rows[0]?.seconds);
  });
