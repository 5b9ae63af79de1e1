/** Polls for sessions that wait for a lock: a wait that ended well leaves no other trace. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withOwner } from './place/ask.ts';
import type { Postgres } from './place/postgres.ts';

const everyMs = 50;

export interface LockWatch {
  /** Counts a wait that was seen elsewhere. */
  add: () => void;
  /** Answers how many waits were seen. */
  stop: () => Promise<number>;
}

export function watchLocks(postgres: Postgres): LockWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let seen = 0;
  const look = () =>
    withOwner(postgres, async (client) => {
      while (!signal.aborted) {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int from pg_stat_activity where usename = 'faults_app' and wait_event_type = 'Lock'`,
        );
        seen += rows[0]?.count ?? 0;
        await sleep(everyMs);
      }
    });
  const watching = (async () => {
    // The database goes away and comes back.
    while (!signal.aborted) await look().catch(() => sleep(everyMs));
  })();
  return {
    add: () => void seen++,
    stop: async () => {
      stopping.abort();
      await watching;
      return seen;
    },
  };
}
