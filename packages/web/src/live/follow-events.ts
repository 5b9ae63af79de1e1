/**
 * Follows the events of the server until it is stopped. It reconnects with backoff and continues after the last event.
 * EventSource is not used, because it can neither start after a given event nor report why a connection was rejected.
 */
import { createClient, ProblemError } from '@milepost/api';
import { attendedFetch, basePath } from '../api/client.ts';
import type { LiveMessage } from './live-event.ts';

export interface Follower {
  /** The id of the last message, after which to continue. Undefined to start with new events. */
  position: () => string | undefined;
  onMessage: (message: LiveMessage) => void;
  onBreak: () => void;
  /** The session may have ended. If it has not, following continues. */
  onSignedOut: () => void;
}

/** The server sends a message or a comment every 15 s. After three missed ones, the connection is considered lost. */
const silenceMilliseconds = 45_000;
const maxBackoffMilliseconds = 30_000;

const backoff = (failures: number) =>
  Math.min(maxBackoffMilliseconds, 500 * 2 ** failures) * (0.75 + Math.random() / 2);

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

const observe = (onChunk: () => void) =>
  new TransformStream<Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      onChunk();
      controller.enqueue(chunk);
    },
  });

/** A fetch that calls `onChunk` for every chunk of the response, including comments. */
const observedFetch =
  (onChunk: () => void): typeof fetch =>
  async (...request) => {
    const response = await attendedFetch(...request);
    return new Response(response.body?.pipeThrough(observe(onChunk)), response);
  };

/** Returns when the connection ends, and throws if it cannot be opened. */
async function connectOnce(follower: Follower, signal: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const lastEventId = follower.position();
  let timer = 0;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(), silenceMilliseconds);
  };
  restartTimer();
  try {
    const client = createClient({ baseUrl: basePath, fetch: observedFetch(restartTimer) });
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
    const failure = await connectOnce(counting, signal).catch((error: unknown) => error);
    if (signal.aborted) return;
    if (failure instanceof ProblemError && failure.status === 401) follower.onSignedOut();
    follower.onBreak();
    await pause(backoff(failures++), signal);
  }
}
