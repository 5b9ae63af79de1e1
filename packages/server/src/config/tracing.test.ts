import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const read = (settings: Record<string, string>) =>
  readConfig({ DATABASE_URL: 'postgresql://nobody@localhost:1/none', ...settings }).tracing;

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('the settings of traces', () => {
  it('are off without a collector, without a value, and if OTEL_SDK_DISABLED is true', () => {
    expect(read({})).toBeUndefined();
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined();
    expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it.each([{ OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }])(
    'are off and not checked with %j',
    (off) => {
      const forOthers = {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
        OTEL_TRACES_SAMPLER: 'jaeger_remote',
        OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://localhost:14250',
      };
      expect(read({ ...forOthers, ...off })).toBeUndefined();
    },
  );

  it('have their defaults if they are set to an empty text', () => {
    const names = ['PROTOCOL', 'TRACES_PROTOCOL', 'TRACES_ENDPOINT'].map((name) => `OTEL_EXPORTER_OTLP_${name}`);
    const others = ['OTEL_TRACES_EXPORTER', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG', 'OTEL_SDK_DISABLED'];
    const empty = Object.fromEntries([...names, ...others].map((name) => [name, '']));
    expect(read({ ...endpoint, ...empty })).toEqual(read(endpoint));
  });

  it('ignore the general endpoint and protocol if those for traces are set', () => {
    const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    const url = 'http://127.0.0.1:4318/v1/traces';
    const forTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' };
    expect(read({ ...general, ...forTraces })).toMatchObject({ url });
  });

  it.each([
    [endpoint, 'http://127.0.0.1:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.org/in/' }, 'https://otel.example.org/in/v1/traces'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example.org/spans' }, 'https://t.example.org/spans'],
  ])('send traces of %j to %s', (settings, url) => {
    expect(read(settings)).toEqual({ url, sampler: 'parentbased_always_on', share: 1 });
  });

  it.each([
    ['0', 0],
    ['.25', 0.25],
    ['1.0', 1],
  ])('read the share %s', (given, share) => {
    expect(read({ ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: given })).toMatchObject({
      sampler: 'traceidratio',
      share,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318', 'it must be a URL such as http://127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@otel', 'it must have only a scheme, host, port and path'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'it must be one of: http/json, http/protobuf'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', 'it must be one of: http/json, http/protobuf'],
    ['OTEL_TRACES_EXPORTER', 'console', 'it must be one of: otlp, none'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'it must be one of: always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'it must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1', 'it must be a number from 0 to 1'],
    ['OTEL_SDK_DISABLED', 'yes', 'it must be one of: true, false'],
  ])('reject %s with the value "%s"', (name, value, reason) => {
    expect(() => read({ ...endpoint, [name]: value })).toThrow(reason);
  });
});
