/**
 * Spans of traces, as types without OpenTelemetry, whose modules are loaded only if traces are on. Attributes have ids, labels of states
 * and callbacks, names of our own, and statuses. They never have texts of users, subjects, requests or errors.
 */
import type { Logger } from 'pino';

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer';
  attributes: Attributes;
}

export type Attributes = Readonly<Record<string, string | number>>;

/** A place in a trace. New spans become its children. */
export interface TraceContext {
  /** The place in the format of W3C Trace Context, for other processes. Undefined at the beginning of a trace. */
  traceparent: string | undefined;
  startSpan: (name: string, options: SpanOptions) => Span;
}

export interface Span extends TraceContext {
  traceparent: string;
  set: (attributes: Attributes) => void;
  /** Marks the span as failed. `type` is a code or the name of a class, and never a message. */
  fail: (type: string) => void;
  end: () => void;
}

export interface TracedProcess {
  kind: 'server' | 'worker';
  log: Pick<Logger, 'warn' | 'info'>;
}

export interface Tracing {
  /** The place that another process sent, or the beginning of a new trace. */
  contextOf: (traceparent?: string | null) => TraceContext;
  /** Sends the remaining spans, within a limited time. */
  stop: () => Promise<void>;
}

/** For logs. */
export const traceIdOf = ({ traceparent }: Span): string => traceparent.split('-')[1] ?? '';

/** Does the work in a span. Without a parent, traces are off, or the work belongs to no trace. */
export function inSpan<T>(
  parent: TraceContext | undefined,
  name: string,
  options: () => SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return parent ? endAfter(parent.startSpan(name, options()), work) : work(undefined);
}

async function endAfter<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A code, or the name of a class. */
export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown';
}
