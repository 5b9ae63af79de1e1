/** Events without gaps: after a cut connection, the stream resumes after the last event. */
import type { Client, StreamMessage } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import { isFinal } from '../run/final-error.ts';

type Query = NonNullable<Parameters<Client['listEvents']>[0]>['query'];
export type EventMessage = StreamMessage<
  Awaited<ReturnType<Client['listEvents']>> extends AsyncGenerator<StreamMessage<infer E>> ? E : never
>;

const pauseMs = 2000;

/** The first message is `ready`. It is repeated after each reconnect, so that callers can read what they follow. */
export async function* followEvents(
  client: Client,
  query: Query,
  tell: (message: string) => void,
): AsyncGenerator<EventMessage, void> {
  let lastEventId: string | undefined;
  let hadStream = false;
  for (;;) {
    try {
      const resume = lastEventId === undefined ? {} : { lastEventId };
      for await (const message of await client.listEvents({ ...(query && { query }), ...resume })) {
        hadStream = true;
        if (message.id !== '') lastEventId = message.id;
        yield message;
      }
    } catch (error) {
      if (!hadStream || isFinal(error)) throw error;
    }
    tell('The connection ended. Reconnecting.');
    await setTimeout(pauseMs);
  }
}
