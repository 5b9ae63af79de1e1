/**
 * An answer of server-sent events that goes on until somebody ends it. What the reader has not taken is held up to a bound;
 * beyond it the connection is broken off, and a reader that comes again goes on behind the last id it got.
 */
import { Readable } from 'node:stream';

/** Some hundred messages: a reader that is that far behind is better served by coming again. */
const mostHeld = 256 * 1024;
/** Before more is read from the database for one reader, it must have come down to this. */
const littleHeld = 64 * 1024;
/** Often enough for proxies that end what is silent for half a minute. */
const commentMs = 15_000;
const longestPauseMs = 30_000;

export interface Message {
  event?: string;
  id?: string;
  data: object;
}

export const messageText = ({ event, id, data }: Message): string =>
  `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

export class EventStream {
  readonly readable: Readable;
  #room = Promise.withResolvers<void>();
  #ended = false;

  /** Ends when nobody reads any more, or the server is about to close. */
  constructor(gone: AbortSignal) {
    this.readable = new Readable({ highWaterMark: littleHeld, read: () => this.#room.resolve() });
    const timer = setInterval(() => this.write(':\n\n'), commentMs);
    const end = () => this.end();
    gone.addEventListener('abort', end, { once: true });
    this.readable.once('close', () => {
      clearInterval(timer);
      gone.removeEventListener('abort', end);
      this.#room.resolve();
    });
    if (gone.aborted) this.end();
  }

  get closed(): boolean {
    return this.readable.readableEnded || this.readable.destroyed;
  }

  onClose(work: () => void): void {
    this.readable.once('close', work);
  }

  write(text: string): void {
    if (this.closed || this.#ended || text === '') return;
    // What is held counts, not what comes: one long message must not end the stream each time it is tried.
    if (this.readable.readableLength > mostHeld) this.readable.destroy();
    else this.readable.push(text);
  }

  /** When the reader has taken nearly all there is, or has gone. One that takes nothing for so long is given up. */
  async room(longestMs = longestPauseMs): Promise<void> {
    if (this.closed || this.readable.readableLength < littleHeld) return;
    this.#room = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.readable.destroy(), longestMs);
    await this.#room.promise;
    clearTimeout(timer);
  }

  /** What was written is still sent. */
  end(): void {
    if (this.#ended || this.readable.destroyed) return;
    this.#ended = true;
    this.readable.push(null);
  }
}
