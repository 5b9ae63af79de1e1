/** The types of the server's event stream. */
import type { Client } from '@milepost/api';

type Stream = Awaited<ReturnType<Client['listEvents']>>;

export type LiveMessage = Stream extends AsyncGenerator<infer Message> ? Message : never;
export type LiveEvent = LiveMessage['data'];
