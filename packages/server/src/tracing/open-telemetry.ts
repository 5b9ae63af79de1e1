/** Traces with OpenTelemetry's SDK. Only start-tracing.ts imports this module. */
import { hostname } from 'node:os';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Tracer } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/tracing.ts';
import { version } from '../version.ts';
import type { Span, SpanOptions, TraceContext, TracedProcess, Tracing } from './span.ts';

/** A collector that does not respond delays the end of a process by at most this time. */
const longestFlushMs = 2000;

export function createTracing(settings: TracingSettings, traced: TracedProcess): Tracing {
  const exporter = reporting(new OTLPTraceExporter({ url: settings.url }), traced.log);
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceOf(traced),
    // The queue has at most 2,048 spans. Further spans are dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('milepost', version);
  return {
    contextOf: (traceparent) => startingIn(tracer, parentOf(traceparent), undefined),
    stop: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestFlushMs);
      // A failure has been logged by the exporter.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** A header that is no valid traceparent begins a new trace, as W3C Trace Context demands. */
function parentOf(traceparent: string | null | undefined): Context {
  const parent = traceparent ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

const startingIn = (tracer: Tracer, context: Context, traceparent: string | undefined): TraceContext => ({
  traceparent,
  startSpan: (name, options) => startSpan(tracer, context, name, options),
});

function startSpan(tracer: Tracer, context: Context, name: string, { kind, attributes }: SpanOptions): Span {
  const span = tracer.startSpan(name, { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes }, context);
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  return {
    ...startingIn(tracer, trace.setSpan(context, span), traceparent),
    traceparent,
    set: (more) => void span.setAttributes(more),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
const resourceOf = ({ kind }: TracedProcess) =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'milepost',
        'service.version': version,
        'service.instance.id': `${hostname()}:${process.pid}`,
        'milepost.process': kind,
      }),
    )
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));

function samplerOf({ sampler, share }: TracingSettings): Sampler {
  const [, name = sampler] = /^parentbased_(.*)$/.exec(sampler) ?? [];
  const root = rootSampler(name, share);
  return name === sampler ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string, share: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(share);
}

/** Logs when sending begins to fail and when it works again, so that a missing collector does not fill the log. */
function reporting(exporter: SpanExporter, log: TracedProcess['log']): SpanExporter {
  let dropped = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && dropped === 0)
          log.warn({ why: result.error?.message }, 'traces cannot be sent, spans are dropped');
        if (!failed && dropped > 0) log.info({ dropped }, 'traces are sent again');
        dropped = failed ? dropped + spans.length : 0;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
