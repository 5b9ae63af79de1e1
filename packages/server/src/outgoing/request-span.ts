/**
 * A span for a request to another server, which gets its place in the trace as `traceparent`. The path, the query and the headers are
 * not recorded, because they can contain labels of subjects and secrets. The host is in the operator's list of allowed servers.
 */
import type { Target } from '../config/targets.ts';
import { inSpan, type Span, type TraceContext } from '../tracing/span.ts';

interface TracedRequest {
  method: string;
  headers?: Readonly<Record<string, string>>;
  trace?: TraceContext | undefined;
}

export const inRequestSpan = <Q extends TracedRequest, R extends { status: number }>(
  { scheme, host, port }: Target,
  request: Q,
  send: (request: Q) => Promise<R>,
): Promise<R> =>
  inSpan(
    request.trace,
    request.method,
    () => ({
      kind: 'client',
      attributes: {
        'http.request.method': request.method,
        'url.scheme': scheme,
        'server.address': host,
        'server.port': port,
      },
    }),
    async (span) => {
      if (!span) return send(request);
      const response = await send({ ...request, headers: tracedHeaders(request.headers, span) });
      const { status } = response;
      span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail(String(status));
      return response;
    },
  );

/** Names of headers are not case-sensitive, and a second `traceparent` would make both invalid. */
const tracedHeaders = (headers: TracedRequest['headers'] = {}, { traceparent }: Span) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'traceparent')),
  traceparent,
});
