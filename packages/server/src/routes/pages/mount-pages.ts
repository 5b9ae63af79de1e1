/**
 * Serves the web pages. The addresses of resources (`web_uri`) and of views are read by the script of the one start page: a
 * browser that asks for any address which is nobody else's gets that page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { encodings, startPage, type Encoding, type Page, type Pages } from './read-pages.ts';

/** Scripts come from here and nowhere else, and none stands in a page. Styles may: the components that we use set them so. */
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

/** The names of these files hold a hash of what is in them: under one name there is one content, for ever. */
const namedByContent = '/assets/';
const oneYear = 'public, max-age=31536000, immutable';

type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** `answerNothing` is the answer to an address that nothing is at. */
export function mountPages(app: FastifyInstance, { basePath }: Config, pages: Pages, answerNothing: Answer): void {
  const start = pages.get(startPage);
  if (!start) return;
  const config = { operation: 'page' };
  for (const [path, page] of pages) {
    const caching = path.startsWith(namedByContent) ? oneYear : 'no-cache';
    app.get(path, { config }, (request, reply) => sendPage(request, reply, page, caching));
  }
  app.get('/', { config }, (request, reply) => sendPage(request, reply, start, 'no-cache'));
  // No page is at an address of the interface or of a machine's, and none stands in for a file that is gone.
  const others = [basePath, '/api', '/-', '/metrics', namedByContent.slice(0, -1)];
  app.get('/*', { config }, (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isOthers = others.some((other) => path === other || path.startsWith(`${other}/`));
    const wantsPage = !isOthers && /\btext\/html\b/i.test(request.headers.accept ?? '');
    return wantsPage ? sendPage(request, reply, start, 'no-cache') : answerNothing(request, reply);
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

/** Only what is named, and not with `q=0`. */
const accepts = (header: string | string[] | undefined, encoding: Encoding): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, quality]) => name === encoding && !/^q=0(?:\.0*)?$/.test(quality ?? ''));
