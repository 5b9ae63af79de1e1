/** The job queue: taking jobs, and pg-boss's maintenance of jobs that were taken but never finished. */
import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import { queueSchema } from '../database/queue-schema.ts';

export interface Queue {
  /** Takes up to `most` jobs, oldest first. Returns the ids of their executions. */
  take: (queue: string, most: number) => Promise<number[]>;
  /** The names among these that exist as queues. */
  known: (queues: readonly string[]) => Promise<string[]>;
  stop: () => Promise<void>;
}

export interface QueueOptions {
  /** Returns jobs of processes that died to the queue, and deletes expired jobs. */
  supervise: boolean;
  onError: (error: unknown) => void;
}

export async function openQueue(pool: pg.Pool, { supervise, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    db: { executeSql: namedStatements(pool) },
    schema: queueSchema,
    migrate: false,
    schedule: false,
    supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on('error', onError);
  await boss.start();
  return {
    async take(queue, most) {
      const jobs = await boss.fetch<{ execution_id: number }>(queue, { batchSize: most });
      return jobs.map(({ data }) => data.execution_id);
    },
    async known(queues) {
      const { rows } = await pool.query<{ name: string }>({
        name: 'known queues',
        text: 'select queue.name from pgboss.queue where queue.name = any($1)',
        values: [queues],
      });
      return rows.map(({ name }) => name);
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

/** pg-boss's statements are long. Without names, PostgreSQL would parse and plan them every time. */
function namedStatements(pool: pg.Pool) {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 22);
    // Some statements contain their values, and each would need its own name.
    if (names.size < 200) names.set(text, known);
    return names.has(text) ? { name: known } : {};
  };
  return async (text: string, values?: unknown[]) => {
    const result: unknown = await (values?.length ? pool.query({ ...nameOf(text), text, values }) : pool.query(text));
    const results = (Array.isArray(result) ? result : [result]) as { rows: unknown[] }[];
    return { rows: results.flatMap(({ rows }) => rows ?? []) };
  };
}
