/** pg-boss's maintenance of the job queue. It takes no jobs: jobs/fair-queue.ts does. */
import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import { queueSchema } from '../database/queue-schema.ts';

export interface Queue {
  stop: () => Promise<void>;
}

export interface QueueOptions {
  /** Returns jobs of processes that died to the queue, and deletes expired jobs. */
  supervise: boolean;
  onError: (error: unknown) => void;
}

/** Fails if the tables of pg-boss have another version. */
export async function openQueue(pool: pg.Pool, { supervise, onError }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    db: { executeSql: statementsOn(pool) },
    schema: queueSchema,
    migrate: false,
    schedule: false,
    supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on('error', onError);
  await boss.start();
  return { stop: () => boss.stop({ graceful: false, close: false }) };
}

const statementsOn = (pool: pg.Pool) => async (text: string, values?: unknown[]) => {
  const result: unknown = await (values?.length ? pool.query(text, values) : pool.query(text));
  const results = (Array.isArray(result) ? result : [result]) as { rows: unknown[] }[];
  return { rows: results.flatMap(({ rows }) => rows ?? []) };
};
