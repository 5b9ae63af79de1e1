/**
 * Starts a span for each request of an operation of the API, but not for health checks and pages. Its parent is the `traceparent` of the
 * request, if it has one. The path is not recorded, because it can contain labels of subjects, and neither is `tracestate`, which is a
 * text of the client.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../tracing/span.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if traces are off. */
    span: Span | null;
  }
}

export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined, traced: ReadonlySet<string>): void {
  app.decorateRequest('span', null);
  if (!tracing) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { operation = '' } = request.routeOptions.config;
    if (traced.has(operation)) request.span = startRequestSpan(tracing, request, reply, operation);
    done();
  });
}

function startRequestSpan(tracing: Tracing, request: FastifyRequest, reply: FastifyReply, operation: string): Span {
  const { traceparent } = request.headers;
  const { url: route = '' } = request.routeOptions;
  const span = tracing
    .contextOf(typeof traceparent === 'string' ? traceparent : undefined)
    .startSpan(`${request.method} ${route}`, {
      kind: 'server',
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.scheme': request.protocol,
        'milepost.operation': operation,
        'milepost.request.id': request.id,
      },
    });
  // Also emitted if the client disconnects before the end of the response.
  reply.raw.once('close', () => {
    const { statusCode, headersSent } = reply.raw;
    if (headersSent) span.set({ 'http.response.status_code': statusCode });
    if (statusCode >= 500) span.fail(String(statusCode));
    span.end();
  });
  return span;
}
