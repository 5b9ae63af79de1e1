/**
 * Reads the body of a request: JSON in UTF-8, or nothing. The schema of the operation decides whether it may be empty. The handler of an
 * upload reads the body itself, as a stream.
 */
import { shortened } from '@milepost/api';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { decodeJson, parseJson } from '../validation/json.ts';

export function readBodies(http: FastifyInstance): void {
  // Fastify would reject a malformed type even if the body is empty.
  http.addHook('onRequest', ({ headers, mediaType }, _reply, done) => {
    if (mediaType === undefined && headers['content-type'] !== undefined) delete headers['content-type'];
    done();
  });
  // Before the body is read, because that of an upload can be large.
  http.addHook('preParsing', (request, _reply, payload, done) => {
    const { upload } = request.routeOptions.config;
    if (upload === undefined || request.mediaType === upload) done(null, payload);
    else done(notA(upload));
  });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('text/csv', (request, stream, done) => {
    const problem = request.routeOptions.config.upload === 'text/csv' ? compressed(request) : notJson();
    if (problem) done(problem);
    else done(null, stream);
  });
  http.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined;
    requireJson(request);
    return parseJson(decodeJson(bytes));
  });
}

const notJson = () =>
  new Problem('unsupported_media_type', 'Send JSON, with the header Content-Type: application/json.');
const notA = (type: string) =>
  new Problem('unsupported_media_type', `Send the file as it is, with the header Content-Type: ${type}.`);

/**
 * The bytes of an uploaded file. Without a body, there is no stream. The rest of a file that is not read to its end is discarded: a client
 * that sends all of it before it reads the response would wait, and so would its next request on the same connection.
 */
export async function* uploadOf(body: unknown, type = ''): AsyncGenerator<Buffer> {
  if (!(body instanceof Readable)) throw notA(type);
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } finally {
    body.resume();
  }
}

function compressed({ headers: { 'content-encoding': encoding = '' } }: FastifyRequest): Problem | undefined {
  if (/^(?:identity)?$/i.test(encoding)) return undefined;
  const detail = `Send the body uncompressed. Its Content-Encoding is ${shortened(encoding)}.`;
  return new Problem('unsupported_media_type', detail);
}

function requireJson(request: FastifyRequest): void {
  const { headers, mediaType = '' } = request;
  const problem = compressed(request);
  if (problem) throw problem;
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(mediaType)) {
    throw notJson();
  }
  for (const [, charset = ''] of headers['content-type']?.matchAll(/;\s*charset="?([^";\s]+)/gi) ?? []) {
    if (/^utf-?8$/i.test(charset)) continue;
    throw new Problem('unsupported_media_type', `Send UTF-8. The charset in Content-Type is ${charset}.`);
  }
}
