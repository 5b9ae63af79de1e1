/**
 * One event stream for all tabs of a browser, because HTTP/1.1 allows only six connections per host. One visible tab holds a
 * lock, follows the stream and broadcasts the messages. A hidden tab releases the lock. If all tabs are hidden, none follows,
 * and the first visible one continues after the last event.
 *
 * A broadcast names the previous message, so that a tab detects missed messages.
 */
import { followEvents } from './follow-events.ts';
import type { LiveEvent, LiveMessage } from './live-event.ts';

export type LiveStatus = 'connecting' | 'live' | 'interrupted';

export interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** Events may have been missed, so all data must be refetched. */
  onReset: () => void;
  onStatus: (status: LiveStatus) => void;
  onSignedOut: () => void;
}

type Broadcast =
  | { type: 'message'; before: string | undefined; message: LiveMessage }
  | { type: 'status'; status: LiveStatus; position: string | undefined }
  | { type: 'who' };

const lockName = 'milepost-events';

class SharedEvents {
  private readonly channel = new BroadcastChannel(lockName);
  private readonly listener: Listener;
  private position: string | undefined;
  private status: LiveStatus = 'connecting';
  private leading: AbortController | undefined;

  constructor(listener: Listener) {
    this.listener = listener;
    this.channel.addEventListener('message', ({ data }: MessageEvent<Broadcast>) => this.receive(data));
    this.channel.postMessage({ type: 'who' } satisfies Broadcast);
    document.addEventListener('visibilitychange', this.leadIfVisible);
    this.leadIfVisible();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.leadIfVisible);
    this.leading?.abort();
    this.channel.close();
  }

  private readonly leadIfVisible = () => {
    if (document.hidden) {
      this.leading?.abort();
      this.leading = undefined;
    } else if (!this.leading) {
      this.leading = new AbortController();
      void this.lead(this.leading.signal);
    }
  };

  private async lead(signal: AbortSignal): Promise<void> {
    const follow = () =>
      followEvents(
        {
          position: () => this.position,
          onMessage: (message) => this.broadcast({ type: 'message', before: this.position, message }),
          onBreak: () => this.broadcast(this.statusMessage('interrupted')),
          onSignedOut: () => this.listener.onSignedOut(),
        },
        signal,
      );
    // The request rejects if the signal aborts while it waits for the lock.
    await navigator.locks.request(lockName, { signal }, follow).catch(() => undefined);
  }

  private broadcast(message: Broadcast): void {
    this.channel.postMessage(message);
    this.receive(message);
  }

  private receive(received: Broadcast): void {
    if (received.type === 'who') {
      if (this.status === 'live' && this.leading) this.channel.postMessage(this.statusMessage('live'));
    } else if (received.type === 'status') {
      // A new tab listens before it fetches anything, so it has missed nothing.
      this.position ??= received.position;
      this.setStatus(received.status);
    } else this.receiveMessage(received.message, received.before);
  }

  private statusMessage(status: LiveStatus): Broadcast {
    return { type: 'status', status, position: this.position };
  }

  private receiveMessage({ id, event, data }: LiveMessage, before: string | undefined): void {
    const missed = this.position !== before;
    if (id !== '') this.position = id;
    this.setStatus('live');
    // The first `ready`: data fetched before the stream started may be out of date.
    if (event === 'reset' || missed || (event === 'ready' && before === undefined)) this.listener.onReset();
    else if (event === 'message') this.listener.onEvent(data);
  }

  private setStatus(status: LiveStatus): void {
    this.status = status;
    this.listener.onStatus(status);
  }
}

/** Returns a function that stops listening. */
export function shareEvents(listener: Listener): () => void {
  const shared = new SharedEvents(listener);
  return () => shared.stop();
}
