/** Reads the event stream as a page does. */
import { basic, createClient, type StreamMessage } from '@milepost/api';
import { expect } from 'vitest';
import type { StreamedEvent } from '../src/store/record/read-events.ts';
import { testPassword, type TestServer } from './server.ts';

type Server = Pick<TestServer, 'baseUrl' | 'sql'>;

type EventMessage = StreamMessage<Omit<StreamedEvent, 'xid'>>;

export interface EventReader {
  messages: EventMessage[];
  /** Resolves when the stream has ended. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

export interface FollowOptions {
  query?: Record<string, string | number>;
  lastEventId?: string;
  as?: string;
}

/**
 * Waits until a new stream would start after all events written so far. An open transaction anywhere in the cluster makes it
 * start earlier, and other tests share the cluster.
 */
async function waitForPendingEvents(server: Server): Promise<void> {
  const pending = 'select from events where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  await expect.poll(() => server.sql(pending)).toEqual([]);
}

/** Connects and waits for the first message. */
export async function followEvents(
  server: Server,
  { as = 'admin', ...options }: FollowOptions = {},
): Promise<EventReader> {
  if (options.lastEventId === undefined) await waitForPendingEvents(server);
  const controller = new AbortController();
  const client = createClient({ baseUrl: server.baseUrl, authorization: basic(as, testPassword) });
  const stream = await client.listEvents({ ...options, signal: controller.signal });
  const messages: EventMessage[] = [];
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

export const eventsIn = ({ messages }: EventReader) =>
  messages.filter(({ event }) => event === 'message').map(({ data }) => data);
export const kindsOf = (reader: EventReader) => eventsIn(reader).map(({ kind }) => kind);
