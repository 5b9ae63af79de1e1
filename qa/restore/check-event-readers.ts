/** Checks the first messages that reconnecting readers of events get. */
import { basic, readMessages } from '@milepost/api';
import { withClient } from '../../packages/server/testing/postgres-server.ts';
import { password } from '../faults/testbed/settings.ts';
import type { Check } from './check-restored.ts';

/** The position of a reader that has read all events. */
export const lastEvent = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      `select xid || '-' || id as position from events order by xid desc, id desc limit 1`,
    );
    return rows[0]?.position ?? '';
  });

/** `old` is a position from before the restore. */
export async function checkEventReaders(check: Check, baseUrl: string, old: string): Promise<void> {
  const back = await messagesUpToReady(baseUrl, old);
  const events = back.map(({ event }) => event).join(', ');
  check(events === 'reset, ready', `a reader with an old position must start again: ${events}`);
  const [again] = await messagesUpToReady(baseUrl, back.at(-1)?.id ?? '');
  check(again?.event === 'ready', `a reader with a new position continues: ${again?.event}`);
}

async function messagesUpToReady(baseUrl: string, lastEventId: string) {
  const stopping = new AbortController();
  const headers = { authorization: basic('admin', password), 'last-event-id': lastEventId };
  const { body } = await fetch(`${baseUrl}/events`, { headers, signal: stopping.signal });
  const messages: { event: string; id?: string | undefined }[] = [];
  if (!body) return messages;
  for await (const message of readMessages(body)) {
    messages.push(message);
    if (message.event === 'ready') break;
  }
  stopping.abort();
  return messages;
}
