/**
 * A body has to arrive within a time limit, so that slow clients cannot hold connections. Node has one limit for all requests, and that of
 * uploads is much longer.
 */
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The largest upload takes this long at 1 Mbit/s. */
export const longestUploadMs = 600_000;
export const longestRequestMs = 30_000;

interface Options {
  reject: (error: Error & { code: string }, socket: Duplex) => void;
  limitMs?: number;
}

export function rejectSlowBodies(http: FastifyInstance, { reject, limitMs = longestRequestMs }: Options): void {
  const arriving = new Map<FastifyRequest, number>();
  http.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.upload === undefined && hasBody(request)) arriving.set(request, performance.now());
    done();
  });
  const forget = (request: FastifyRequest) => void arriving.delete(request);
  http.addHook('preValidation', (request, _reply, done) => (forget(request), done()));
  // A request can be answered before its body has arrived, for example with 401. The rest has the same time as other bodies.
  http.addHook('onResponse', (request, _reply, done) => {
    if (isOver(request)) forget(request);
    else if (!arriving.has(request)) arriving.set(request, performance.now());
    done();
  });
  const timer = setInterval(() => {
    for (const [request, started] of arriving) {
      if (performance.now() - started < limitMs) break;
      forget(request);
      // The connection may already have another request.
      if (isOver(request)) continue;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      reject(error, request.raw.socket);
    }
  }, limitMs / 10).unref();
  http.addHook('onClose', (_instance, done) => (clearInterval(timer), done()));
}

const isOver = ({ raw }: FastifyRequest) => raw.complete || raw.destroyed;

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
