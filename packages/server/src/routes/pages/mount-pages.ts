/** Serves the web application. Browsers get the start page for every path that is not used otherwise. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { encodings, startPage, type Encoding, type Page, type Pages } from './read-pages.ts';

/** Allows only script files of this origin. Inline styles are allowed, because our components need them. */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** File names in this folder contain a hash of the content, so browsers can cache them forever. */
const hashedAssets = '/assets/';
const oneYear = 'public, max-age=31536000, immutable';

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function mountPages(app: FastifyInstance, { basePath }: Config, pages: Pages, handleUnknownPath: Answer): void {
  const start = pages.get(startPage);
  if (!start) return;
  const config = { operation: 'page' };
  for (const [path, page] of pages) {
    const caching = path.startsWith(hashedAssets) ? oneYear : 'no-cache';
    app.get(path, { config }, (request, reply) => sendPage(request, reply, page, caching));
  }
  app.get('/', { config }, (request, reply) => sendPage(request, reply, start, 'no-cache'));
  // Below these paths, an unknown path is an error and not a page.
  const reserved = [basePath, '/api', '/-', '/metrics', hashedAssets.slice(0, -1)];
  app.get('/*', { config }, (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isReserved = reserved.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    const wantsPage = !isReserved && /\btext\/html\b/i.test(request.headers.accept ?? '');
    return wantsPage ? sendPage(request, reply, start, 'no-cache') : handleUnknownPath(request, reply);
  });
}

function sendPage({ headers }: FastifyRequest, reply: FastifyReply, page: Page, caching: string): FastifyReply {
  const encoding = encodings.find(
    (one) => page.compressed[one] !== undefined && accepts(headers['accept-encoding'], one),
  );
  const etag = `"${page.tag}${encoding === undefined ? '' : `-${encoding}`}"`;
  reply.headers({ 'content-security-policy': policy, 'cache-control': caching, vary: 'accept-encoding', etag });
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type(page.type).send((encoding && page.compressed[encoding]) ?? page.bytes);
}

/** Whether the header lists the encoding without `q=0`. */
const accepts = (header: string | string[] | undefined, encoding: Encoding): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, quality]) => name === encoding && !/^q=0(?:\.0*)?$/.test(quality ?? ''));
