import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../../testing/counterparts/trace-collector.ts';
import { startWebServer } from '../../testing/counterparts/web-server.ts';
import { readConfig } from '../config.ts';
import { createTracing } from './open-telemetry.ts';
import { inSpan, type TracedProcess, type Tracing } from './span.ts';

let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.stop());

type Logged = [level: string, fields: object, text: string];

function startWith(settings: Record<string, string>, logged: Logged[] = []): Tracing {
  const { tracing } = readConfig({ DATABASE_URL: 'postgresql://nobody@localhost:1/none', ...settings });
  if (!tracing) throw new Error('Traces are off.');
  const logs = (level: string) => (fields: object, text: string) => void logged.push([level, fields, text]);
  const log = { warn: logs('warn'), info: logs('info') } as TracedProcess['log'];
  return createTracing(tracing, { kind: 'server', log });
}

const start = (more: Record<string, string> = {}) =>
  startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...more });

const parent = (flags: '00' | '01') => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
let names = 0;
const fresh = () => `span ${++names}`;
const sent = (name: string) => collector.spans.find((span) => span.name === name);

describe('a span', () => {
  it('is a child of the traceparent, and of no other header', async () => {
    const tracing = start();
    const [valid, invalid, older] = [fresh(), fresh(), fresh()];
    tracing.contextOf(parent('01')).startSpan(valid, { attributes: {} }).end();
    tracing
      .contextOf('00-00000000000000000000000000000000-b7ad6b7169203331-01')
      .startSpan(invalid, { attributes: {} })
      .end();
    tracing
      .contextOf(`${parent('01')}, ${parent('01')}`)
      .startSpan(older, { attributes: {} })
      .end();
    await tracing.stop();
    expect(sent(valid)).toMatchObject({ traceId: parent('01').split('-')[1], parentSpanId: 'b7ad6b7169203331' });
    for (const name of [invalid, older]) expect(sent(name)).toMatchObject({ parentSpanId: '' });
  });

  it('is marked as failed with the code or the class of an error, without its message', async () => {
    const tracing = start();
    const [withCode, withClass] = [fresh(), fresh()];
    const failing = (name: string, error: Error) =>
      inSpan(
        tracing.contextOf(),
        name,
        () => ({ attributes: {} }),
        () => Promise.reject(error),
      );
    await expect(failing(withCode, Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }))).rejects.toThrow(
      'secret',
    );
    await expect(failing(withClass, new TypeError('secret'))).rejects.toThrow('secret');
    await tracing.stop();
    expect(sent(withCode)).toMatchObject({ failed: true, attributes: { 'error.type': 'ECONNREFUSED' } });
    expect(sent(withClass)).toMatchObject({ failed: true, attributes: { 'error.type': 'TypeError' } });
    expect(collector.received.map(({ body }) => body).join('\n')).not.toContain('secret');
  });
});

describe('the sampler', () => {
  it.each([
    ['parentbased_always_on', '1', { none: true, unsampled: false, sampled: true }],
    ['parentbased_always_off', '1', { none: false, unsampled: false, sampled: true }],
    ['parentbased_traceidratio', '0', { none: false, unsampled: false, sampled: true }],
    ['always_on', '1', { none: true, unsampled: true, sampled: true }],
    ['always_off', '1', { none: false, unsampled: false, sampled: false }],
    ['traceidratio', '0', { none: false, unsampled: false, sampled: false }],
    ['traceidratio', '1', { none: true, unsampled: true, sampled: true }],
  ])('%s with the share %s sends %j, and passes its decision on', async (sampler, share, expected) => {
    const tracing = start({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share });
    const given = { none: undefined, unsampled: parent('00'), sampled: parent('01') };
    const decisions: Record<string, { sent: boolean; flags: string | undefined }> = {};
    const spans = Object.entries(given).map(([kind, traceparent]) => {
      const name = fresh();
      const span = tracing.contextOf(traceparent).startSpan(name, { attributes: {} });
      span.end();
      return { kind, name, flags: span.traceparent.split('-')[3] };
    });
    await tracing.stop();
    for (const { kind, name, flags } of spans) decisions[kind] = { sent: sent(name) !== undefined, flags };
    const wanted = Object.entries(expected).map(([kind, is]) => [kind, { sent: is, flags: is ? '01' : '00' }]);
    expect(decisions).toEqual(Object.fromEntries(wanted));
  });
});

/** A collector whose responses the test sends. */
async function startSlowCollector() {
  const pending: ServerResponse[] = [];
  const web = await startWebServer((request, response) => {
    request.resume().on('end', () => pending.push(response));
  });
  onTestFinished(() => web.stop());
  return { endpoint: web.origin, pending };
}

/** Batches are sent by timers. The sockets are real. */
function useFakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

describe('a collector', () => {
  it('that does not respond delays the end of a process by at most 2 s', async () => {
    const { endpoint, pending } = await startSlowCollector();
    useFakeTimers();
    const tracing = startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    tracing.contextOf().startSpan('late', { attributes: {} }).end();
    let stopped = false;
    const stopping = tracing.stop().then(() => (stopped = true));
    while (pending.length === 0) await nextTurn();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(stopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await stopping;
  });

  it('that rejects spans is logged once, and once more when it accepts them', async () => {
    const { endpoint, pending } = await startSlowCollector();
    useFakeTimers();
    const logged: Logged[] = [];
    const tracing = startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, logged);
    for (const status of [400, 400, 200, 200]) {
      tracing.contextOf().startSpan('one', { attributes: {} }).end();
      while (pending.length === 0) {
        await vi.advanceTimersByTimeAsync(100);
        await nextTurn();
      }
      pending.pop()?.writeHead(status).end('{}');
    }
    await tracing.stop();
    expect(logged).toEqual([
      ['warn', { why: expect.any(String) }, 'traces cannot be sent, spans are dropped'],
      ['info', { dropped: 2 }, 'traces are sent again'],
    ]);
  });
});
