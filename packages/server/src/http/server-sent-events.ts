/**
 * A response of server-sent events. Unread messages are buffered up to a limit. Beyond it the connection is closed, and the
 * client can reconnect with the last id that it received.
 */
import { Readable } from 'node:stream';

/** A few hundred messages. A client that is further behind should reconnect. */
const maxBuffered = 256 * 1024;
/** No more is read from the database for a client until its buffer is below this size. */
const lowWaterMark = 64 * 1024;
/** Keeps proxies from closing connections that are idle for 30 seconds. */
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

  /** Ends when the client disconnects or the server is about to close. */
  constructor(disconnectSignal: AbortSignal) {
    this.readable = new Readable({ highWaterMark: lowWaterMark, read: () => this.#room.resolve() });
    const timer = setInterval(() => this.write(':\n\n'), commentMs);
    const end = () => this.end();
    disconnectSignal.addEventListener('abort', end, { once: true });
    this.readable.once('close', () => {
      clearInterval(timer);
      disconnectSignal.removeEventListener('abort', end);
      this.#room.resolve();
    });
    if (disconnectSignal.aborted) this.end();
  }

  get closed(): boolean {
    return this.readable.readableEnded || this.readable.destroyed;
  }

  onClose(work: () => void): void {
    this.readable.once('close', work);
  }

  write(text: string): void {
    if (this.closed || this.#ended || text === '') return;
    // Only the buffer counts, not the new text: one long message must not end the stream on every retry.
    if (this.readable.readableLength > maxBuffered) this.readable.destroy();
    else this.readable.push(text);
  }

  /** Resolves when the buffer is almost empty or the client is gone. Disconnects a client that reads nothing for `longestMs`. */
  async room(longestMs = longestPauseMs): Promise<void> {
    if (this.closed || this.readable.readableLength < lowWaterMark) return;
    this.#room = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.readable.destroy(), longestMs);
    await this.#room.promise;
    clearTimeout(timer);
  }

  /** Messages that were already written are still sent. */
  end(): void {
    if (this.#ended || this.readable.destroyed) return;
    this.#ended = true;
    this.readable.push(null);
  }
}
