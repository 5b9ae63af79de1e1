/** Whether readers of events that come back are told where they stand. */
import { basic, readMessages } from '@milepost/api';
import { withClient } from '../../packages/server/testing/test-server.ts';
import { password } from '../faults/place/settings.ts';
import type { Hold } from './judge.ts';

/** The position of whoever has read everything. */
export const lastEvent = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      `select xid || '-' || id as position from events order by xid desc, id desc limit 1`,
    );
    return rows[0]?.position ?? '';
  });

/** `old` is a position of before. */
export async function judgeReaders(hold: Hold, baseUrl: string, old: string): Promise<void> {
  const back = await messagesUpToReady(baseUrl, old);
  const told = back.map(({ event }) => event).join(', ');
  hold(told === 'reset, ready', `a reader who comes back from before is told to begin anew: ${told}`);
  const [again] = await messagesUpToReady(baseUrl, back.at(-1)?.id ?? '');
  hold(again?.event === 'ready', `one who comes back from here is not: ${again?.event}`);
}

async function messagesUpToReady(baseUrl: string, lastEventId: string) {
  const leaving = new AbortController();
  const headers = { authorization: basic('admin', password), 'last-event-id': lastEventId };
  const { body } = await fetch(`${baseUrl}/events`, { headers, signal: leaving.signal });
  const messages: { event: string; id?: string | undefined }[] = [];
  if (!body) return messages;
  for await (const message of readMessages(body)) {
    messages.push(message);
    if (message.event === 'ready') break;
  }
  leaving.abort();
  return messages;
}
