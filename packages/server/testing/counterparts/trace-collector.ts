/** A collector of traces: receives OTLP as JSON over HTTP, and keeps the spans. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startWebServer } from './web-server.ts';

export interface CollectedSpan {
  process: string;
  service: string;
  name: string;
  /** The number of the kind in OTLP. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, string | number>;
  /** Whether its status is an error. */
  failed: boolean;
}

export interface TraceCollector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  spans: CollectedSpan[];
  /** The paths and bodies of all requests. */
  received: { path: string; body: string }[];
  stop: () => Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const [spans, received]: [CollectedSpan[], TraceCollector['received']] = [[], []];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    received.push({ path: request.url ?? '', body });
    spans.push(...spansIn(JSON.parse(body) as Export));
    response.setHeader('content-type', 'application/json').end('{}');
  };
  const web = await startWebServer((request, response) => void receive(request, response));
  return { endpoint: web.origin, spans, received, stop: web.stop };
}

type Value = Partial<{ stringValue: string; intValue: number | string; doubleValue: number }>;
type Attributes = { key: string; value: Value }[];

interface Export {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: ExportedSpan[] }[] }[];
}

interface ExportedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attributes;
  status: { code?: number };
}

const statusError = 2;

const valueOf = ({ stringValue, intValue, doubleValue }: Value) => stringValue ?? Number(intValue ?? doubleValue);
const recordOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const spansIn = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.name': service, 'milepost.process': process } = recordOf(resource.attributes);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ name, kind, traceId, spanId, parentSpanId = '', attributes, status }) => ({
        process: String(process),
        service: String(service),
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        attributes: recordOf(attributes),
        failed: status.code === statusError,
      }));
  });
