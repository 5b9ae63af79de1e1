/** Reads the body of a request: JSON in UTF-8, or nothing. The schema of the operation decides whether it may be empty. */
import { shortened } from '@milepost/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { decodeJson, parseJson } from '../validation/json.ts';

export function readBodies(http: FastifyInstance): void {
  // Fastify would reject a malformed type even if the body is empty.
  http.addHook('onRequest', ({ headers, mediaType }, _reply, done) => {
    if (mediaType === undefined && headers['content-type'] !== undefined) delete headers['content-type'];
    done();
  });
  http.removeAllContentTypeParsers();
  http.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length === 0) return undefined;
    requireJson(request);
    return parseJson(decodeJson(bytes));
  });
}

function requireJson({ headers, mediaType = '' }: FastifyRequest): void {
  const { 'content-encoding': encoding = '' } = headers;
  if (!/^(?:identity)?$/i.test(encoding)) {
    const detail = `Send the body uncompressed. Its Content-Encoding is ${shortened(encoding)}.`;
    throw new Problem('unsupported_media_type', detail);
  }
  if (!/^application\/(?:[\w.+-]+\+)?json$/.test(mediaType)) {
    throw new Problem('unsupported_media_type', 'Send JSON, with the header Content-Type: application/json.');
  }
  for (const [, charset = ''] of headers['content-type']?.matchAll(/;\s*charset="?([^";\s]+)/gi) ?? []) {
    if (/^utf-?8$/i.test(charset)) continue;
    throw new Problem('unsupported_media_type', `Send UTF-8. The charset in Content-Type is ${charset}.`);
  }
}
