/**
 * Wakes workers when there is something to do. A NOTIFY inside a move costs it a third of its speed, so it is sent after the
 * commit, on its own, for all moves of a moment together. It is a hint and no more: one that is lost costs the second
 * until workers look by themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const channel = 'milepost_jobs';
/** Moves of so long share a notification. */
const pauseMs = 10;
const reconnectMs = 1000;
/** A database may take connections and answer nothing: it is tried anew, and nobody waits for it. */
const connectMs = 3000;
const farewellMs = 500;

export type Wake = (queues: readonly string[]) => void;

export function createWake(pool: Pick<pg.Pool, 'query'>, onError: (error: unknown) => void): Wake {
  const waiting = new Set<string>();
  let sending = false;
  const send = async () => {
    sending = true;
    const queues = [...waiting];
    waiting.clear();
    await pool
      .query({
        name: 'wake',
        text: 'select pg_notify($1, queue) from unnest($2::text[]) as queue',
        values: [channel, queues],
      })
      .catch(onError);
    setTimeout(() => {
      sending = false;
      if (waiting.size > 0) void send();
    }, pauseMs).unref();
  };
  return (queues) => {
    for (const queue of queues) waiting.add(queue);
    if (waiting.size > 0 && !sending) void send();
  };
}

export interface Listening {
  stop: () => Promise<void>;
}

/** Calls back with the name of each queue that has new jobs; with undefined where some may have been missed. */
export function listenForJobs(
  databaseUrl: string,
  onJobs: (queue: string | undefined) => void,
  onError: (error: unknown) => void,
): Listening {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  const tell = (error: unknown) => {
    if (!stopping.signal.aborted) onError(error);
  };
  const connect = async () => {
    if (stopping.signal.aborted) return;
    client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'milepost listen',
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    });
    client.on('notification', ({ payload }) => onJobs(payload));
    client.on('error', tell);
    client.once('end', () => setTimeout(() => void connect(), reconnectMs).unref());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onJobs(undefined);
    } catch (error) {
      tell(error);
      // A connection that never stood tells nobody of its end.
      await client.end().catch(() => undefined);
    }
  };
  void connect();
  return {
    stop: async () => {
      stopping.abort();
      if (client) await endSoon(client);
    },
  };
}

async function endSoon(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(farewellMs, undefined, { ref: false })]);
  client.connection.stream.destroy();
}
