/**
 * Wakes workers when there are new jobs. A NOTIFY inside a move would make it a third slower, so one is sent after the commit for
 * several moves together. It is only a hint: workers also check the queue every second.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const channel = 'milepost_jobs';
/** Moves within this time share a notification. */
const pauseMs = 10;
const reconnectMs = 1000;
/** For databases that accept connections but do not respond. */
const connectMs = 3000;
const closeTimeoutMs = 500;

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

export interface JobListener {
  stop: () => Promise<void>;
}

/** Calls `onJobs` with the name of each queue that has new jobs, or with undefined if notifications may have been missed. */
export function listenForJobs(
  databaseUrl: string,
  onJobs: (queue: string | undefined) => void,
  onError: (error: unknown) => void,
): JobListener {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  const reportError = (error: unknown) => {
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
    client.on('error', reportError);
    client.once('end', () => setTimeout(() => void connect(), reconnectMs).unref());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onJobs(undefined);
    } catch (error) {
      reportError(error);
      // A connection that was never established emits no `end` by itself.
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
  await Promise.race([client.end().catch(() => undefined), pause(closeTimeoutMs, undefined, { ref: false })]);
  client.connection.stream.destroy();
}
