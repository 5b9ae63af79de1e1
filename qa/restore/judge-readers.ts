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
  const [back] = await firstMessages(baseUrl, old, 1);
  hold(back?.event === 'reset', `a reader who comes back from before is told to begin anew: ${back?.event}`);
  const [, ready] = await firstMessages(baseUrl, old, 2);
  const [again] = await firstMessages(baseUrl, ready?.id ?? '', 1);
  hold(again?.event === 'ready', `one who comes back from here is not: ${again?.event}`);
}

async function firstMessages(baseUrl: string, lastEventId: string, count: number) {
  const leaving = new AbortController();
  const headers = { authorization: basic('admin', password), 'last-event-id': lastEventId };
  const { body } = await fetch(`${baseUrl}/events`, { headers, signal: leaving.signal });
  const messages: { event: string; id?: string | undefined }[] = [];
  if (!body) return messages;
  for await (const message of readMessages(body)) {
    messages.push(message);
    if (messages.length === count) break;
  }
  leaving.abort();
  return messages;
}
