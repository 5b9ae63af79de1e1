/**
 * Installs the tables of pg-boss in their own schema. pg-boss creates and upgrades them as the owner, together with our
 * migrations. The application role can use them but not change their structure.
 */
import { PgBoss, type QueueOptions } from 'pg-boss';
import type { Client } from 'pg';

export const queueSchema = 'pgboss';

/** A job is deleted when its attempt starts. If the process that fetched it dies first, the job returns to the queue. */
export const queueOptions = { retryLimit: 1_000_000, expireInSeconds: 30 } as const satisfies QueueOptions;

export async function installQueues(client: Client, names: readonly string[]): Promise<void> {
  const executeSql = async (text: string, values?: unknown[]) => {
    const result: unknown = await client.query(text, values ?? []);
    // A query with several statements returns several results.
    const results = (Array.isArray(result) ? result : [result]) as { rows: unknown[] }[];
    return { rows: results.flatMap(({ rows }) => rows ?? []) };
  };
  const boss = new PgBoss({ db: { executeSql }, schema: queueSchema, supervise: false, schedule: false });
  const failures: unknown[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  for (const name of names) await boss.createQueue(name, queueOptions);
  await boss.stop({ graceful: false, close: false });
  if (failures.length > 0) throw new AggregateError(failures, 'Cannot install the queue tables.');
  await installLines(client);
}

/**
 * The index by which jobs/take-fairly.ts finds the first job of each workflow and priority. An interrupted build leaves an invalid index,
 * which is dropped. Without blocking writes, the build waits for open transactions, so it needs no lock timeout.
 */
async function installLines(client: Client): Promise<void> {
  await client.query(`set lock_timeout = 0`);
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('${queueSchema}.job_common_lines')`,
  );
  if (rows[0]?.valid === false) await client.query(`drop index concurrently ${queueSchema}.job_common_lines`);
  await client.query(`create index concurrently if not exists job_common_lines
    on ${queueSchema}.job_common (name, priority, coalesce(group_id, ''), created_on)
    where state < 'active' and not blocked`);
}
