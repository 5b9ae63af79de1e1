/** Stops requests at a known step: a test holds a lock that the step needs, and sees when a request waits for it. */
import type { Client } from 'pg';
import { expect } from 'vitest';
import { withClient } from './postgres.ts';

/** How many statements in this database wait for a lock. */
export async function countLockWaits(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );
  return rowCount ?? 0;
}

export interface HeldStep {
  /** The statement that takes the lock. */
  lock: string;
  /** Whether requests continue from there while `then` runs. */
  released?: boolean;
}

/** Calls `then` when a request waits for the lock. */
export const holdStep = (ownerUrl: string, { lock, released = false }: HeldStep, then: () => Promise<unknown>) =>
  withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(lock);
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
    if (released) await client.query('rollback');
    await then();
    if (!released) await client.query('rollback');
  });

/** Lets rows be read and not written. */
export const lockWrites = (table: string): string => `lock table ${table} in share mode`;

/**
 * The status of the answer, or 0 if the server died. A server gives up waiting for a lock after two seconds and answers 503: the
 * request is sent again, so that it waits however long the test needs to see it.
 */
export async function sendUntilAnswered(send: () => Promise<Response>): Promise<number> {
  for (;;) {
    const status = await send().then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status !== 503) return status;
  }
}
