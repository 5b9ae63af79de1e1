/** Many executions that wait for a worker, created with SQL. */
import { sql } from 'kysely';
import { openDatabase } from '../packages/server/src/database/connection.ts';
import { insertJobs } from '../packages/server/src/jobs/insert-jobs.ts';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import type { StudyCallback } from './callback-study.ts';
import { query, type BenchDatabase } from './database.ts';

/** The first ids. The other ids follow in the order of the experiments. */
export interface FirstIds {
  experiment: number;
  action: number;
  execution: number;
}

/** Moves the first experiments of the study into the state with the callback, with one job each. */
export async function queueExecutions(
  { ownerUrl, appUrl }: BenchDatabase,
  count: number,
  { queue }: StudyCallback,
): Promise<FirstIds> {
  const first = await withClient(ownerUrl, async (client) => {
    await client.query(
      `update experiments set state_id = 2, action_sequence = action_sequence + 1, version = version + 1 where id <= ${count}`,
    );
    await client.query(
      `insert into actions (experiment_id, sequence, transition_id, actor_kind)
       select id, action_sequence, 2, 'operator' from experiments where id <= ${count} order by id`,
    );
    const { rows } = await client.query<FirstIds>(
      `with made as (
         insert into callback_executions (action_id, callback_id, callback_version)
         select actions.id, 1, 1 from actions join experiments
           on experiments.id = actions.experiment_id and experiments.action_sequence = actions.sequence
         where experiments.id <= ${count} order by actions.id returning id, action_id)
       select 1 as experiment, min(made.id)::int as execution, min(made.action_id)::int as action from made`,
    );
    return rows[0];
  });
  const pools = { poolSize: 1, streamPoolSize: 1, statementSeconds: 60 };
  const { db, close } = openDatabase({ databaseUrl: appUrl, ...pools, onError: console.error });
  const queued = sql`
    select callback_executions.id, ${queue}, 1, false, created, 0 from callback_executions where status = 'queued'`;
  await insertJobs(queued).execute(db);
  await close();
  if (!first) throw new Error('No executions were created.');
  return first;
}

/** Ends what a measurement left when its time was up. */
export const dropOpenExecutions = (ownerUrl: string, { queue }: StudyCallback): Promise<void> =>
  query(
    ownerUrl,
    `delete from pgboss.job_common where name = '${queue}'`,
    `update execution_attempts set ended_at = greatest(clock_timestamp(), started_at) where ended_at is null`,
    `update actions set end_time = greatest(clock_timestamp(), start_time) from callback_executions
     where callback_executions.action_id = actions.id and callback_executions.status in ('created', 'queued', 'running')`,
    `update callback_executions set status = 'skipped', deadline = null, finished = greatest(clock_timestamp(), created)
     where status in ('created', 'queued', 'running')`,
  );

const anyOpen = `
  select exists (select from callback_executions where status in ('created', 'queued'))
    or exists (select from callback_executions where status in ('running', 'waiting')) as open`;

/** Waits until all executions have ended. Returns how long they took from the first start to the last end. */
export const untilEnded = ({ ownerUrl }: BenchDatabase, { execution }: FirstIds): Promise<number> =>
  withClient(ownerUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ open: boolean }>(anyOpen);
      if (rows[0]?.open === false) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { rows } = await client.query<{ seconds: string }>(
      `select extract(epoch from max(finished) - min(run_start)) as seconds from callback_executions where id >= $1`,
      [execution],
    );
    return Number(rows[0]?.seconds);
  });
