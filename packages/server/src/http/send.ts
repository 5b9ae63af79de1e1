/**
 * Sends a response. Long lists are streamed at the pace of the client. If reading fails midway, the connection is destroyed, so
 * that a truncated list never looks complete.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rows } from '../database/rows.ts';
import { EventStream } from './server-sent-events.ts';
import type { Answer } from './call.ts';
import { prune, type Fields } from './field-mask.ts';
import { onceClosed } from './disconnect.ts';
import { etagOf } from './if-match.ts';
import { Lines } from './lines-download.ts';

const charactersPerChunk = 65_536;

export interface Sending {
  answer: Answer<unknown>;
  fields: Fields;
  /** How long the client of a stream may read nothing. */
  longestPauseMs: number;
}

export async function send(request: FastifyRequest, reply: FastifyReply, { answer, fields, longestPauseMs }: Sending) {
  if (answer.body instanceof EventStream) return sendStream(request, reply, answer.body);
  if (answer.body instanceof Lines) return sendLines(request, reply, { answer, lines: answer.body, longestPauseMs });
  if (answer.file && accepts(request, answer.file.type)) return sendFile(reply, answer.file);
  // Field masks do not apply to errors.
  const body = answer.status < 400 ? prune(fields, answer.body) : answer.body;
  reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .headers(answer.headers ?? {});
  if (answer.version !== undefined) reply.header('etag', etagOf(answer.version));
  if (!holdsRows(body)) return reply.headers(linkToNext(request, answer)).send(JSON.stringify(body));

  return sendChunks(request, reply, {
    chunks: inChunks(jsonPieces(body), firstChunkOf(request)),
    answer,
    longestPauseMs,
  });
}

/** Whether the client names the type. A client that accepts everything gets JSON. */
const accepts = ({ headers }: FastifyRequest, type: string) =>
  (headers.accept ?? '').split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === type);

const sendFile = (reply: FastifyReply, { type, text }: NonNullable<Answer<unknown>['file']>) =>
  reply.code(200).type(`${type}; charset=utf-8`).header('vary', 'accept').send(text);

/** Sends a download. Field masks do not apply to its lines. */
function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, lines: { name, type, pieces }, longestPauseMs }: Omit<Sending, 'fields'> & { lines: Lines },
) {
  reply.code(200).type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${name}"`);
  return sendChunks(request, reply, { chunks: inChunks(pieces, charactersPerChunk), answer, longestPauseMs });
}

interface Chunks {
  chunks: AsyncGenerator<string, void>;
  answer: Answer<unknown>;
  longestPauseMs: number;
}

async function sendChunks(request: FastifyRequest, reply: FastifyReply, { chunks, answer, longestPauseMs }: Chunks) {
  // However the response ends, reading stops and releases its connection.
  onceClosed(reply, () => void chunks.return());
  // Reads a chunk before sending anything, so that a failing query returns a problem and the next page is known.
  const first = await chunks.next();
  reply.headers(linkToNext(request, answer));
  if (request.method === 'HEAD') {
    await chunks.return();
    return reply.send('');
  }
  return reply.send(
    Readable.from(
      paced(first.value ?? '', chunks, () => setTimeout(() => request.raw.socket.destroy(), longestPauseMs)),
    ),
  );
}

/** Asks proxies not to buffer messages. */
function sendStream({ method }: FastifyRequest, reply: FastifyReply, { readable }: EventStream) {
  reply.code(200).type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
  if (method !== 'HEAD') return reply.send(readable);
  readable.destroy();
  return reply.send('');
}

function linkToNext(request: FastifyRequest, { next, nextBy }: Answer<unknown>): Record<string, string> {
  const key = next?.();
  if (key === undefined) return {};
  const [path, query] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.delete('offset');
  parameters.set(nextBy ?? 'after', String(key));
  return { link: `<${path}?${parameters.toString()}>; rel="next"` };
}

/** Passes the chunks on. `watch` starts a timer that disconnects the client unless it reads the next chunk in time. */
async function* paced(first: string, chunks: AsyncGenerator<string, void>, watch: () => NodeJS.Timeout) {
  let chunk: string | undefined = first;
  while (chunk !== undefined) {
    const timer = watch();
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
    chunk = (await chunks.next()).value ?? undefined;
  }
}

export function holdsRows(value: unknown): boolean {
  if (value instanceof Rows) return true;
  return isPlainObject(value) && Object.values(value).some(holdsRows);
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The status of a change is sent before its lists are read: the change is saved, whatever happens to the reading. */
const firstChunkOf = ({ method }: FastifyRequest) => (method === 'GET' || method === 'HEAD' ? charactersPerChunk : 1);

async function* inChunks(pieces: AsyncIterable<string>, firstLength: number): AsyncGenerator<string, void> {
  let [text, length] = ['', firstLength];
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= length) {
      yield text;
      [text, length] = ['', charactersPerChunk];
    }
  }
  yield text;
}

async function* jsonPieces(value: unknown): AsyncGenerator<string, void> {
  if (value instanceof Rows) yield* arrayPieces(value);
  else if (isPlainObject(value) && holdsRows(value)) yield* objectPieces(value);
  else yield JSON.stringify(value);
}

async function* arrayPieces(rows: Rows<unknown>): AsyncGenerator<string, void> {
  let separator = '[';
  for await (const piece of rows.joined(JSON.stringify, ',')) {
    yield separator + piece;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* objectPieces(value: Record<string, unknown>): AsyncGenerator<string, void> {
  let separator = '{';
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* jsonPieces(inner);
    separator = ',';
  }
  yield '}';
}
