/** A response of server-sent events. Its writer waits until the client has read, so that the buffer stays small. */
import { Readable } from 'node:stream';

/** A few hundred messages. */
const maxBuffered = 256 * 1024;
/** No more is read from the database for a client until its buffer is below this size. */
const lowWaterMark = 64 * 1024;
/** The client's progress is seen by chunk, so a client that reads one of them within the longest pause stays connected. */
const chunkLength = 16 * 1024;
/** Keeps proxies from closing connections that are idle for 30 seconds. */
const commentMs = 15_000;

export interface Message {
  event?: string;
  id?: string;
  data: object;
}

export const messageText = ({ event, id, data }: Message): string =>
  `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

export class EventStream {
  readonly readable: Readable;
  readonly #longestPauseMs: number;
  #wanted = Promise.withResolvers<void>();
  #room: Promise<void> | undefined;
  #ended = false;

  /** Ends when the client disconnects or the server is about to close. */
  constructor(disconnectSignal: AbortSignal, longestPauseMs: number) {
    this.#longestPauseMs = longestPauseMs;
    this.readable = new Readable({ highWaterMark: lowWaterMark, read: () => this.#wanted.resolve() });
    const timer = setInterval(() => this.#comment(), commentMs);
    const end = () => this.end();
    disconnectSignal.addEventListener('abort', end, { once: true });
    this.readable.once('close', () => {
      clearInterval(timer);
      disconnectSignal.removeEventListener('abort', end);
      this.#wanted.resolve();
    });
    if (disconnectSignal.aborted) this.end();
  }

  get closed(): boolean {
    return this.#ended || this.readable.readableEnded || this.readable.destroyed;
  }

  get hasRoom(): boolean {
    return this.readable.readableLength < lowWaterMark;
  }

  onClose(work: () => void): void {
    this.readable.once('close', work);
  }

  write(text: string): void {
    if (!this.closed && text !== '') this.readable.push(text);
  }

  /** Writes the texts of items until the buffer is full. Returns how many it took: at least one if it has room. */
  writeSome<T>(items: readonly T[], textOf: (item: T) => string): number {
    let [taken, chunk] = [0, ''];
    for (const item of items) {
      if (this.readable.readableLength + chunk.length >= maxBuffered) break;
      taken += 1;
      chunk += textOf(item);
      if (chunk.length < chunkLength) continue;
      this.write(chunk);
      chunk = '';
    }
    this.write(chunk);
    return taken;
  }

  /** Resolves when the buffer is almost empty or the client is gone. Disconnects a client that reads nothing for too long. */
  room(): Promise<void> {
    if (this.closed || this.hasRoom) return Promise.resolve();
    this.#room ??= this.#untilRead().finally(() => (this.#room = undefined));
    return this.#room;
  }

  async #untilRead(): Promise<void> {
    let unread = this.readable.readableLength;
    const timer = setInterval(() => {
      if (this.readable.readableLength >= unread) this.readable.destroy();
      unread = this.readable.readableLength;
    }, this.#longestPauseMs);
    while (!this.closed && !this.hasRoom) {
      this.#wanted = Promise.withResolvers<void>();
      await this.#wanted.promise;
    }
    clearInterval(timer);
  }

  /** Messages that were already written are still sent. */
  end(): void {
    if (this.#ended || this.readable.destroyed) return;
    this.#ended = true;
    this.readable.push(null);
    this.#wanted.resolve();
  }

  #comment(): void {
    if (this.hasRoom) this.write(':\n\n');
  }
}
