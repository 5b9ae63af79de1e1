/**
 * Follows the events of the server until it is told to stop: after a break it connects again, later each time, and goes
 * on behind the last event that arrived. EventSource is not used, as it can neither begin behind an event nor say why it
 * was refused.
 */
import { basePath } from '../api/client.ts';
import { readEventStream, type StreamMessage } from './event-stream.ts';

export interface Follower {
  /** The id of the last message, to go on from; undefined: from now. */
  position: () => string | undefined;
  onMessage: (message: StreamMessage) => void;
  onBreak: () => void;
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

/** Ends when the connection does; throws where there was none. */
async function connectOnce(follower: Follower, signal: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const position = follower.position();
  let timer = 0;
  const heard = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(), silenceMilliseconds);
  };
  heard();
  try {
    const response = await fetch(`${basePath}/events`, {
      headers: { accept: 'text/event-stream', ...(position === undefined ? {} : { 'last-event-id': position }) },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw new Error(`The events were refused: ${response.status}`);
    await readEventStream(response.body, follower.onMessage, heard);
  } finally {
    clearTimeout(timer);
  }
}

export async function followEvents(follower: Follower, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const counting = {
    ...follower,
    onMessage: (message: StreamMessage) => ((failures = 0), follower.onMessage(message)),
  };
  while (!signal.aborted) {
    await connectOnce(counting, signal).catch(() => undefined);
    if (signal.aborted) return;
    follower.onBreak();
    await pause(waitOf(failures++), signal);
  }
}
