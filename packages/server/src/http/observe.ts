/** Logs and measures every request, and exports gauges of streams, degraded conditions and the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { conditions, type Condition } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../database/connection.ts';
import { traceIdOf } from '../tracing/span.ts';

/** The numbers of clients that follow events. */
export interface EventReaders {
  connected: () => number;
  behind: () => number;
}

export function createMetrics(
  { streams }: Pick<Database, 'streams'>,
  eventReaders: EventReaders = { connected: () => 0, behind: () => 0 },
): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('milepost_streams', 'Long lists being sent.', () => streams.active());
  gauge('milepost_streams_waiting', 'Reads of lists and event streams waiting for a database connection.', () =>
    streams.waiting(),
  );
  gauge('milepost_event_streams', 'Clients connected to the event stream.', eventReaders.connected);
  gauge('milepost_event_streams_behind', 'Clients of the event stream that are behind.', eventReaders.behind);
  return registry;
}

export function observeConditions(registry: Registry, current: () => readonly Condition[]): void {
  registry.registerMetric(
    new Gauge({
      name: 'milepost_condition',
      help: '1 if the condition keeps the installation from working fully, otherwise 0.',
      labelNames: ['condition'],
      registers: [],
      collect() {
        const now = current();
        for (const condition of conditions) this.set({ condition }, now.includes(condition) ? 1 : 0);
      },
    }),
  );
}

export function observe(app: FastifyInstance, registry: Registry): void {
  observeEventLoop(app, registry);
  observeRequests(app, registry);
}

/** The sampling interval of the event loop delay. Shorter intervals are expensive: 5 ms takes 1 % of a core. */
const resolutionMs = 10;

function watchEventLoop() {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  return delays;
}

/** A request that blocks the event loop delays all others. The measured delay is up to 10 ms too short. */
function observeEventLoop(app: FastifyInstance, registry: Registry): void {
  let watch = watchEventLoop();
  const delay = new Gauge({
    name: 'milepost_event_loop_delay_seconds',
    help: 'Longest delay of the event loop since the metrics were last read.',
    registers: [registry],
    async collect() {
      const ended = watch;
      // Both monitors overlap for a moment. A reset would lose a delay in progress, or one that starts immediately.
      watch = watchEventLoop();
      await sleep(2 * resolutionMs);
      ended.disable();
      delay.set(Math.max(0, ended.max / 1e6 - resolutionMs) / 1000);
    },
  });
  app.addHook('onClose', async () => void watch.disable());
}

function observeRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'milepost_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation ?? 'unknown';
    const status = reply.statusCode;
    durations.observe({ operation, status: String(status) }, reply.elapsedTime / 1000);
    // The path is not logged, because it can contain labels of subjects.
    const { id: user_id, token } = request.account ?? {};
    const account = { user_id, ...(token && { token_id: token.id }) };
    const traced = request.span && { trace_id: traceIdOf(request.span) };
    request.log.info(
      { operation, method: request.method, status, ms: Math.round(reply.elapsedTime), ...account, ...traced },
      'request completed',
    );
    done();
  });
}
