/**
 * The tables of pg-boss, in a schema of their own: made and brought up to date by pg-boss itself, as the owner, together
 * with our migrations. The application's role may use them and cannot change them.
 */
import { PgBoss, type QueueOptions } from 'pg-boss';
import type { Client } from 'pg';

export const queueSchema = 'pgboss';

/** A job is taken to start an attempt and gone a moment later; one that was taken by a process that died comes back. */
export const queueOptions = { retryLimit: 1_000_000, expireInSeconds: 30 } as const satisfies QueueOptions;

export async function installQueues(client: Client, names: readonly string[]): Promise<void> {
  const executeSql = async (text: string, values?: unknown[]) => {
    const result: unknown = await client.query(text, values ?? []);
    // Several statements in one text give several results.
    const results = (Array.isArray(result) ? result : [result]) as { rows: unknown[] }[];
    return { rows: results.flatMap(({ rows }) => rows ?? []) };
  };
  const boss = new PgBoss({ db: { executeSql }, schema: queueSchema, supervise: false, schedule: false });
  const failures: unknown[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  for (const name of names) await boss.createQueue(name, queueOptions);
  await boss.stop({ graceful: false, close: false });
  if (failures.length > 0) throw new AggregateError(failures, 'The tables of the queue could not be made.');
}
