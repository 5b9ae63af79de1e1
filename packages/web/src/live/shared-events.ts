/**
 * One stream of events for all tabs of a browser: it would otherwise use up the six connections that HTTP/1.1 has for a
 * host. Of the visible tabs one holds a lock, follows the stream and passes on what it hears. A tab that is hidden lets
 * go of the lock; where all are hidden nobody listens, and the first that is seen again goes on behind the last event.
 *
 * What is passed on names the message before it. A tab that did not hear that one has missed something, and says so.
 */
import { followEvents } from './follow-events.ts';
import type { LiveEvent, LiveMessage } from './live-event.ts';

export type LiveStatus = 'connecting' | 'live' | 'interrupted';

export interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** Something may have been missed: everything has to be asked for again. */
  onReset: () => void;
  onStatus: (status: LiveStatus) => void;
  onSignedOut: () => void;
}

type Told =
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
    this.channel.addEventListener('message', ({ data }: MessageEvent<Told>) => this.hear(data));
    this.channel.postMessage({ type: 'who' } satisfies Told);
    document.addEventListener('visibilitychange', this.followIfSeen);
    this.followIfSeen();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.followIfSeen);
    this.leading?.abort();
    this.channel.close();
  }

  private readonly followIfSeen = () => {
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
          onMessage: (message) => this.pass({ type: 'message', before: this.position, message }),
          onBreak: () => this.pass(this.told('interrupted')),
          onSignedOut: () => this.listener.onSignedOut(),
        },
        signal,
      );
    // Waiting for the lock is ended by the signal, too, which is told by a rejection.
    await navigator.locks.request(lockName, { signal }, follow).catch(() => undefined);
  }

  private pass(told: Told): void {
    this.channel.postMessage(told);
    this.hear(told);
  }

  private hear(told: Told): void {
    if (told.type === 'who') {
      if (this.status === 'live' && this.leading) this.channel.postMessage(this.told('live'));
    } else if (told.type === 'status') {
      // A tab that has just been opened listened before it asked for anything: it has missed nothing.
      this.position ??= told.position;
      this.setStatus(told.status);
    } else this.hearMessage(told.message, told.before);
  }

  private told(status: LiveStatus): Told {
    return { type: 'status', status, position: this.position };
  }

  private hearMessage({ id, event, data }: LiveMessage, before: string | undefined): void {
    const missed = this.position !== before;
    if (id !== '') this.position = id;
    this.setStatus('live');
    // Ready for the first time: what was read before nobody listened may be out of date.
    if (event === 'reset' || missed || (event === 'ready' && before === undefined)) this.listener.onReset();
    else if (event === 'message') this.listener.onEvent(data);
  }

  private setStatus(status: LiveStatus): void {
    this.status = status;
    this.listener.onStatus(status);
  }
}

/** Returns how to stop. */
export function shareEvents(listener: Listener): () => void {
  const shared = new SharedEvents(listener);
  return () => shared.stop();
}
