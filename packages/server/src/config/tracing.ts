/** The settings of traces: the standard variables of OpenTelemetry that we read. Its exporter reads others from the environment. */
import { emptyOr, hidePassword, oneOf } from './readers.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const optional = <const D extends string>(about: string, fallback: D) => ({
  about,
  fallback,
  read: (value: string) => value || fallback,
});

/** Checked only if traces are on, because a machine can set these variables for other programs. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('The URL of an OpenTelemetry collector. If empty, no traces are sent.', ''),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    'The URL to which traces are sent, instead of the path /v1/traces of OTEL_EXPORTER_OTLP_ENDPOINT.',
    '',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional(
    'The protocol of the collector. Traces are sent as JSON over HTTP, which both values accept.',
    'http/json',
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional('The protocol for traces, instead of OTEL_EXPORTER_OTLP_PROTOCOL.', ''),
  OTEL_TRACES_EXPORTER: optional('With "none", no traces are sent.', 'otlp'),
  OTEL_TRACES_SAMPLER: optional('The sampler, which decides whether a trace is sent.', 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: optional('The share of traces that a ratio sampler sends.', '1'),
  OTEL_SDK_DISABLED: optional('With "true", no traces are sent.', 'false'),
} as const;

type Name = keyof typeof tracingSettings;
type Values = Readonly<Record<Name, string>>;

const endpointOf = (values: Values) => values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || values.OTEL_EXPORTER_OTLP_ENDPOINT;

const areOn = (values: Values) =>
  endpointOf(values) !== '' &&
  values.OTEL_TRACES_EXPORTER !== 'none' &&
  values.OTEL_SDK_DISABLED.toLowerCase() !== 'true';

const readProtocol = oneOf('http/json', 'http/protobuf');
const readSampler = oneOf(...samplers);

const checks: Readonly<Record<Name, (value: string) => unknown>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: emptyOr(collector),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: emptyOr(collector),
  OTEL_EXPORTER_OTLP_PROTOCOL: readProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: (value) => value && readProtocol(value),
  OTEL_TRACES_EXPORTER: oneOf('otlp', 'none'),
  OTEL_TRACES_SAMPLER: readSampler,
  OTEL_TRACES_SAMPLER_ARG: share,
  OTEL_SDK_DISABLED: (value) => oneOf('true', 'false')(value.toLowerCase()),
};

/** A general variable has no effect if the one for traces is set. */
const overridden: Partial<Record<Name, Name>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
};

export function tracingFaults(values: Values): string[] {
  if (!areOn(values)) return [];
  return (Object.keys(checks) as Name[]).flatMap((name) => {
    const specific = overridden[name];
    return specific && values[specific] !== '' ? [] : faultsOf(name, values[name]);
  });
}

function faultsOf(name: Name, value: string): string[] {
  try {
    checks[name](value);
    return [];
  } catch (error) {
    return [`${name} is "${hidePassword(value)}": ${(error as Error).message}.`];
  }
}

export interface TracingSettings {
  /** Where to send traces. */
  url: string;
  sampler: (typeof samplers)[number];
  /** From 0 to 1. */
  share: number;
}

/** Undefined if traces are off. */
export function shapeTracing(values: Values): TracingSettings | undefined {
  if (!areOn(values)) return undefined;
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '');
  return {
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${base}/v1/traces`,
    sampler: readSampler(values.OTEL_TRACES_SAMPLER),
    share: share(values.OTEL_TRACES_SAMPLER_ARG),
  };
}

function collector(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:\/\/[^/]/.test(value)) throw new Error('it must be a URL such as http://127.0.0.1:4318');
  if (url.username || url.search || url.hash) throw new Error('it must have only a scheme, host, port and path');
  return value;
}

function share(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= 1)) throw new Error('it must be a number from 0 to 1, such as 0.1');
  return number;
}
