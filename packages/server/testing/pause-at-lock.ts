/** Pauses requests at a known step: a test holds a lock that the step needs and waits until a request waits for it. */
import type { Client } from 'pg';
import { expect } from 'vitest';
import { withClient } from './test-database.ts';

/** The number of statements in this database that wait for a lock. */
export async function countLockWaits(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );
  return rowCount ?? 0;
}

export interface LockPoint {
  /** The statement that takes the lock. */
  lock: string;
  /** Releases the lock before `whenWaiting` runs. */
  released?: boolean;
}

interface Paused<T> {
  /** Sends requests while the lock is held, so that they cannot be faster than it. */
  begin: () => T | Promise<T>;
  whenWaiting: () => Promise<unknown>;
}

/** Takes the lock, begins, and calls `whenWaiting` as soon as something waits for the lock. Resolves to what was begun. */
export const pauseAtLock = <T>(
  ownerUrl: string,
  { lock, released = false }: LockPoint,
  { begin, whenWaiting }: Paused<T>,
): Promise<T> =>
  withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(lock);
    const begun = begin();
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
    if (released) await client.query('rollback');
    await whenWaiting();
    if (!released) await client.query('rollback');
    return await begun;
  });

/** Blocks writes to the table, but not reads. */
export const lockWrites = (table: string): string => `lock table ${table} in share mode`;

/**
 * The status of the response, or 0 if the server died. A server returns 503 after waiting two seconds for a lock. The request is
 * then sent again, so that it waits as long as the test needs.
 */
export async function retryWhileUnavailable(send: () => Promise<Response>): Promise<number> {
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
