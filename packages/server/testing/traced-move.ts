/** Moves an experiment whose callback calls a web server, with a server and a worker that send traces. The first call fails. */
import { basic, createClient } from '@milepost/api';
import { expect, vi } from 'vitest';
import { startWebServer } from './counterparts/web-server.ts';
import { hangLimitMs } from './hang-limit.ts';
import { startServerProcess, type ServerProcess } from './processes/server-process.ts';
import { startWorkerProcess } from './processes/worker-process.ts';
import { testPassword } from './server.ts';
import { createTestDatabase } from './test-database.ts';

/** The span of the client that moves the experiment. */
export const click = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
/** Texts of users, subjects, requests and responses contain it. No span may. */
export const canary = 'canary';

const workflow = (origin: string) => `label: traced
states:
  - label: new
    transitions: [{destination: registered}]
  - label: registered
    callbacks:
      - label: register
        function: http
        retry_for: 1
        callback_arguments:
          url: "${origin}/${canary}-path/{{ subject.label }}?key=${canary}-query"
          headers: {x-key: ${canary}-header, TraceParent: ${canary}-traceparent}
          body: {subject: "{{ subject.label }}", label: "{{ experiment.label }}"}
    transitions: [{destination: done, condition: "callbacks['register'].result == 'success'"}]
  - label: done
`;

const clientOf = ({ baseUrl }: ServerProcess, headers: Record<string, string> = {}) =>
  createClient({ baseUrl, authorization: basic('admin', testPassword), headers });

async function createExperiment(server: ServerProcess, origin: string): Promise<number> {
  const client = clientOf(server);
  await client.importWorkflow({ body: { workflow_definition: workflow(origin) } });
  await client.createCohort({ body: { label: `${canary}-cohort` } });
  const subject = { label: `${canary}-subject`, cohort_label: `${canary}-cohort` };
  const { id: subject_id } = await client.createSubject({ body: subject });
  const body = { label: `${canary}-experiment`, subject_id, workflow_label: 'traced' };
  return (await client.createExperiment({ body })).id;
}

async function move(server: ServerProcess, id: number): Promise<void> {
  const traceparent = `00-${click.traceId}-${click.spanId}-01`;
  const client = clientOf(server, { traceparent, tracestate: `vendor=${canary}-state` });
  const body = { state_label: 'registered', freetext: `${canary}-freetext` };
  await client.setExperimentState({ params: { id }, body });
}

const stateOf = async (server: ServerProcess, id: number) =>
  (await clientOf(server).getExperimentState({ params: { id } })).state.label;

export interface TracedMove {
  experiment: number;
  /** The port of the web server, and the `traceparent` of each request that it got. */
  port: number;
  traceparents: (string | undefined)[];
  /** Of the server. */
  log: string;
}

/** Resolves after both processes have stopped, and so have sent their spans. */
export async function moveAndTrace(endpoint: string): Promise<TracedMove> {
  const parts: { stop: () => Promise<unknown> }[] = [];
  try {
    return await moveIn(parts, endpoint);
  } finally {
    for (const part of parts.toReversed()) await part.stop();
  }
}

async function moveIn(parts: { stop: () => Promise<unknown> }[], endpoint: string): Promise<TracedMove> {
  const traceparents: (string | undefined)[] = [];
  const web = await startWebServer((request, response) => {
    traceparents.push(request.headers['traceparent'] as string | undefined);
    request.resume();
    response.writeHead(traceparents.length === 1 ? 503 : 200).end(`${canary}-answer`);
  });
  parts.push(web);
  const database = await createTestDatabase();
  parts.push({ stop: database.drop });
  const settings = {
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
    MILEPOST_OUTGOING_ALLOW: web.origin,
    MILEPOST_LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  };
  const server = await startServerProcess(settings);
  parts.push(server);
  const experiment = await createExperiment(server, web.origin);
  await move(server, experiment);
  // Started after the move, so that only the job connects the two.
  const worker = await startWorkerProcess(settings);
  parts.push(worker);
  await vi.waitUntil(async () => (await stateOf(server, experiment)) === 'done', { timeout: hangLimitMs });
  expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0]);
  return { experiment, port: web.port, traceparents, log: server.output() };
}
