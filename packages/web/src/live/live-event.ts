/** What the server says of each change while it happens. */
import type { Client } from '@milepost/api';

type Stream = Awaited<ReturnType<Client['listEvents']>>;

export type LiveMessage = Stream extends AsyncGenerator<infer Message> ? Message : never;
export type LiveEvent = LiveMessage['data'];
