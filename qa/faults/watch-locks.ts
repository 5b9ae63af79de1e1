/** Polls for sessions that wait for a lock, because a successful wait leaves no other trace. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withOwner } from './testbed/query.ts';
import type { Postgres } from './testbed/postgres.ts';

const everyMs = 50;

export interface LockWatch {
  /** Adds a wait that was observed elsewhere. */
  add: () => void;
  /** Returns the number of observed waits. */
  stop: () => Promise<number>;
}

export function watchLocks(postgres: Postgres): LockWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let seen = 0;
  const poll = () =>
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
    // The database may be down for a while.
    while (!signal.aborted) await poll().catch(() => sleep(everyMs));
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
