/** Reading the stream of events as a page does. */
import { basic, createClient, type StreamMessage } from '@milepost/api';
import { expect } from 'vitest';
import type { StreamedEvent } from '../src/store/event-stream.ts';
import { testPassword, type TestServer } from './server.ts';

type Server = Pick<TestServer, 'baseUrl' | 'sql'>;

type Told = StreamMessage<Omit<StreamedEvent, 'xid'>>;

export interface Reading {
  messages: Told[];
  /** When it has come to its end, by whoever ended it. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

export interface How {
  query?: Record<string, string | number>;
  lastEventId?: string;
  as?: string;
}

/**
 * Until all that was written is behind whoever comes now. A transaction that goes on anywhere in the cluster, which others use
 * too, makes a stream begin earlier, and rightly so.
 */
async function nothingIsPending(server: Server): Promise<void> {
  const pending = 'select from events where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await expect.poll(() => server.sql(pending)).toEqual([]);
}

/** Connected, and its first message read. */
export async function followEvents(server: Server, { as = 'admin', ...how }: How = {}): Promise<Reading> {
  if (how.lastEventId === undefined) await nothingIsPending(server);
  const controller = new AbortController();
  const client = createClient({ baseUrl: server.baseUrl, authorization: basic(as, testPassword) });
  const stream = await client.listEvents({ ...how, signal: controller.signal });
  const messages: Told[] = [];
  const read = async () => {
    for await (const message of stream) messages.push(message);
  };
  const ended = read().catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
  await expect.poll(() => messages.some(({ event }) => event === 'ready')).toBe(true);
  const stop = () => {
    controller.abort();
    return ended;
  };
  return { messages, ended, stop };
}

export const told = ({ messages }: Reading) =>
  messages.filter(({ event }) => event === 'message').map(({ data }) => data);
export const kindsOf = (reading: Reading) => told(reading).map(({ kind }) => kind);
