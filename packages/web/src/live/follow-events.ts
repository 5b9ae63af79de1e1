/**
 * Follows the events of the server until it is told to stop: after a break it connects again, later each time, and goes
 * on behind the last event that arrived. EventSource is not used, as it can neither begin behind an event nor say why it
 * was refused.
 */
import { createClient, ProblemError } from '@milepost/api';
import { attendedFetch } from '../api/attended-fetch.ts';
import { basePath } from '../api/client.ts';
import type { LiveMessage } from './live-event.ts';

export interface Follower {
  /** The id of the last message, to go on from; undefined: from now. */
  position: () => string | undefined;
  onMessage: (message: LiveMessage) => void;
  onBreak: () => void;
  /** Nobody is signed in any more, so that there is nothing to follow. */
  onSignedOut: () => void;
}

/** The server says something every 15 s; three times nothing is a connection that is no more. */
const silenceMilliseconds = 45_000;
const longestWaitMilliseconds = 30_000;

const waitOf = (failures: number) =>
  Math.min(longestWaitMilliseconds, 500 * 2 ** failures) * (0.75 + Math.random() / 2);

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

const telling = (heard: () => void) =>
  new TransformStream<Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      heard();
      controller.enqueue(chunk);
    },
  });

/** A fetch that tells of every piece of the answer, also of comments, which are no messages. */
const hearing =
  (heard: () => void): typeof fetch =>
  async (...request) => {
    const response = await attendedFetch(...request);
    return new Response(response.body?.pipeThrough(telling(heard)), response);
  };

/** Ends when the connection does; throws where there was none. */
async function connectOnce(follower: Follower, signal: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const lastEventId = follower.position();
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(), silenceMilliseconds);
  };
  heard();
  try {
    const client = createClient({ baseUrl: basePath, fetch: hearing(heard) });
    const call = {
      signal: AbortSignal.any([signal, silence.signal]),
      ...(lastEventId === undefined ? {} : { lastEventId }),
    };
    for await (const message of await client.listEvents(call)) follower.onMessage(message);
  } finally {
    clearTimeout(timer);
  }
}

export async function followEvents(follower: Follower, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const counting = { ...follower, onMessage: (message: LiveMessage) => ((failures = 0), follower.onMessage(message)) };
  while (!signal.aborted) {
    const refused = await connectOnce(counting, signal).catch((error: unknown) => error);
    if (signal.aborted) return;
    if (refused instanceof ProblemError && refused.status === 401) return follower.onSignedOut();
    follower.onBreak();
    await pause(waitOf(failures++), signal);
  }
}
