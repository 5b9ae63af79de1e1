/** What connections to PostgreSQL wait for, sampled ten times per second. */
import { withClient } from '../packages/server/testing/postgres-server.ts';

/** Samples per wait event, such as `IO WalSync`. Connections that compute or wait for their client are not counted. */
export type Waits = Readonly<Record<string, number>>;

const intervalMs = 100;
const text = `
  select wait_event_type || ' ' || wait_event as event from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and wait_event_type <> 'Client'`;

export const sampleWaits = <T>(ownerUrl: string, run: () => Promise<T>): Promise<{ result: T; waits: Waits }> =>
  withClient(ownerUrl, async (client) => {
    const waits: Record<string, number> = {};
    const sample = async () => {
      const { rows } = await client.query<{ event: string }>({ name: 'waits', text });
      for (const { event } of rows) waits[event] = (waits[event] ?? 0) + 1;
    };
    const timer = setInterval(() => void sample(), intervalMs);
    const result = await run().finally(() => clearInterval(timer));
    await sample();
    return { result, waits };
  });
