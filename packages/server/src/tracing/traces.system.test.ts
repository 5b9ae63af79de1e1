/** One trace from the request that moves an experiment to the request that its callback sends, through a server and a worker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startTraceCollector,
  type CollectedSpan,
  type TraceCollector,
} from '../../testing/counterparts/trace-collector.ts';
import { sourceOf } from '../../testing/processes/program-process.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { canary, click, moveAndTrace, type TracedMove } from '../../testing/traced-move.ts';

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 };

let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.stop());

const inTrace = () => collector.spans.filter(({ traceId }) => traceId === click.traceId);
const childrenOf = ({ spanId }: { spanId: string }) => inTrace().filter(({ parentSpanId }) => parentSpanId === spanId);
const only = (spans: CollectedSpan[]): CollectedSpan => {
  expect(spans).toHaveLength(1);
  return spans[0] as CollectedSpan;
};

describe('a move whose callback calls another server, which fails once', () => {
  let moved: TracedMove;
  beforeAll(async () => {
    moved = await moveAndTrace(collector.endpoint);
  });

  it('is one trace from the click to both requests of the callback', () => {
    const request = only(childrenOf(click));
    expect(request).toMatchObject({
      process: 'server',
      service: 'milepost',
      name: 'PUT /api/v2/experiments/:id/state',
      kind: kinds.server,
      failed: false,
      attributes: { 'milepost.operation': 'setExperimentState', 'http.response.status_code': 200 },
    });
    const move = only(childrenOf(request));
    expect(move).toMatchObject({
      process: 'server',
      name: 'change experiment',
      kind: kinds.internal,
      attributes: {
        'milepost.experiment.id': moved.experiment,
        'milepost.state': 'new',
        'milepost.next_state': 'registered',
      },
    });
    const first = only(childrenOf(move));
    expect(first).toMatchObject({
      process: 'worker',
      name: 'run http',
      kind: kinds.consumer,
      failed: true,
      attributes: { 'milepost.attempt': 1, 'milepost.callback': 'register', 'milepost.outcome': 'temporary' },
    });
    const failing = only(childrenOf(first).filter(({ kind }) => kind === kinds.client));
    expect(failing).toMatchObject({
      process: 'worker',
      name: 'POST',
      failed: true,
      attributes: { 'server.address': '127.0.0.1', 'server.port': moved.port, 'http.response.status_code': 503 },
    });
    const retry = only(childrenOf(first).filter(({ name }) => name === 'change experiment'));
    const second = only(childrenOf(retry));
    expect(second).toMatchObject({
      failed: false,
      attributes: { 'milepost.attempt': 2, 'milepost.outcome': 'success' },
    });
    const succeeding = only(childrenOf(second).filter(({ kind }) => kind === kinds.client));
    const end = only(childrenOf(second).filter(({ name }) => name === 'change experiment'));
    expect(end.attributes).toMatchObject({ 'milepost.state': 'registered', 'milepost.next_state': 'done' });
    expect(inTrace()).toHaveLength(8);
    expect(moved.traceparents).toEqual(
      [failing, succeeding].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    );
  });

  it('has its ID in the log line of the request', () => {
    const line = moved.log.split('\n').find((one) => one.includes('setExperimentState'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ operation: 'setExperimentState', trace_id: click.traceId });
  });

  it('sends spans to the path of the protocol', () => {
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  });

  it('records no text of users, subjects, requests or responses', () => {
    const bodies = collector.received.map(({ body }) => body).join('\n');
    expect(bodies).toContain('createSubject');
    for (const text of [canary, testPassword, 'admin']) expect(bodies).not.toContain(text);
  });
});

/** Prints the modules that a process loads. */
const printModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.error('loads ' + url); return next(url, context); } });`)}`;

describe('the modules of OpenTelemetry', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  const modulesOf = async (more: Record<string, string>) => {
    const { flags, ...program } = sourceOf('serve');
    const started = await startServerProcess(
      { DATABASE_URL: database.databaseUrl, ...more },
      { ...program, flags: [...flags, '--import', printModules] },
    );
    await started.stop();
    return [...new Set([...started.output().matchAll(/loads \S*\/@opentelemetry\/([\w-]+)/g)].map(([, name]) => name))];
  };

  it('are not loaded without a collector, except for the interface that the metrics need', async () => {
    expect(await modulesOf({})).toEqual(['api']);
    expect(await modulesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SDK_DISABLED: 'true' })).toEqual([
      'api',
    ]);
  });

  it('are loaded with one', async () => {
    const loaded = await modulesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    expect(loaded).toEqual(expect.arrayContaining(['api', 'core', 'exporter-trace-otlp-http', 'sdk-trace']));
  });
});
