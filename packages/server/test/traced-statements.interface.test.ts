/**
 * The statements of a move with and without traces: traces add a value to the statement, and none to the number of statements.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../testing/counterparts/trace-collector.ts';
import { createEngineWorld, type EngineWorld } from '../testing/engine-world.ts';
import { statementsDuring } from '../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../testing/server.ts';
import { readConfig } from '../src/config.ts';
import { createTracing } from '../src/tracing/open-telemetry.ts';
import type { Tracing } from '../src/tracing/span.ts';

const workflow = `states:
  - label: new
    transitions: [{destination: run}]
  - label: run
    callbacks: [{label: c, function: sleep, callback_arguments: {seconds: 0}, initial_delay: 600}]
`;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

interface Tested {
  server: TestServer;
  world: EngineWorld;
}

async function startTested(options: TestServerOptions = {}): Promise<Tested> {
  const server = await startTestServer(options);
  return { server, world: createEngineWorld(server) };
}

let collector: TraceCollector;
let tracing: Tracing;
let plain: Tested;
let traced: Tested;
beforeAll(async () => {
  collector = await startTraceCollector();
  const settings = {
    DATABASE_URL: 'postgresql://nobody@localhost:1/none',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  };
  const config = readConfig(settings).tracing;
  if (!config) throw new Error('Traces are off.');
  const log = { warn: () => undefined, info: () => undefined };
  tracing = createTracing(config, { kind: 'server', log });
  plain = await startTested();
  traced = await startTested({ tracing });
});
afterAll(async () => {
  await Promise.all([plain.server.stop(), traced.server.stop()]);
  await tracing.stop();
  await collector.stop();
});

const jobsOf = async ({ server }: Tested, experiment: number) => {
  const rows = await server.sql<{ data: Record<string, unknown> }>(
    `select job.data from pgboss.job join callback_executions on callback_executions.id = (job.data->>'execution_id')::bigint
     join actions on actions.id = action_id where experiment_id = $1`,
    [experiment],
  );
  return rows.map(({ data }) => data);
};

async function moveOn({ server, world }: Tested) {
  const experiment = await world.experimentIn(workflow);
  const params = { id: experiment };
  const body = { state_label: 'run' };
  const move = () => server.call('setExperimentState', { params, body, headers: { traceparent } });
  const sent = await statementsDuring(move, /experiments|job_common/);
  return { sent, jobs: await jobsOf({ server, world }, experiment) };
}

/** In the trace of the request, but below a span of the server. */
const tracedJob = {
  execution_id: expect.any(Number),
  traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/),
};

describe('a move', () => {
  it('without traces has no place for a trace in its statements and its job, even if the request has a traceparent', async () => {
    const { sent, jobs } = await moveOn(plain);
    const texts = sent.map(({ text }) => text).join('\n');
    expect(texts).toContain('insert into pgboss.job_common');
    expect(texts).not.toContain('traceparent');
    expect(jobs).toEqual([{ execution_id: expect.any(Number) }]);
  });

  it('sends as many statements with traces as without', async () => {
    const [without, withTraces] = [await moveOn(plain), await moveOn(traced)];
    expect(without.sent.length).toBeGreaterThan(1);
    expect(withTraces.sent).toHaveLength(without.sent.length);
    expect(withTraces.jobs).toEqual([tracedJob]);
  });
});

describe('a new experiment', () => {
  it('whose first state has callbacks passes its trace on to their jobs', async () => {
    const { server, world } = traced;
    const workflow_label = await world.importWorkflow(workflow.replace(/.*label: new\n.*\n/, ''));
    const { id: subject_id } = await world.subject();
    const body = { label: world.fresh('experiment'), subject_id, workflow_label };
    const { body: created } = await server.call('createExperiment', { body, headers: { traceparent } });
    expect(await jobsOf(traced, created.id)).toEqual([tracedJob]);
  });
});
