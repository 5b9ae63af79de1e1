/** A worker with a real database and a real web server: outcomes of callbacks and of their executions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../testing/counterparts/web-server.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { readConfig } from './config.ts';
import { startWorker, type RunningWorker } from './start-worker.ts';

let server: TestServer;
let web: WebServer;
let worker: RunningWorker;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  web = await startWebServer();
  world = createEngineWorld(server);
  worker = await workerReaching(web.origin);
});
afterAll(async () => {
  await worker.stop();
  await web.stop();
  await server.stop();
});

/** A worker that may connect to these hosts. */
const workerReaching = (allowed: string) =>
  startWorker(
    readConfig({
      DATABASE_URL: server.testDatabase.databaseUrl,
      MILEPOST_LOG_LEVEL: 'fatal',
      MILEPOST_PUBLIC_URL: server.origin,
      MILEPOST_WORKER_METRICS_PORT: '0',
      MILEPOST_OUTGOING_ALLOW: allowed,
    }),
  );

const states = (callback: string) => `states:
  - label: run
    callbacks: [{label: c, ${callback}}]
    transitions:
      - {destination: good, condition: "callbacks['c'].result == 'success'"}
      - {destination: bad, condition: "callbacks['c'].result == 'failed'"}
  - {label: good}
  - {label: bad}
`;

const calling = (path: string, more = '') => `function: http, callback_arguments: {url: "${web.origin}${path}"}${more}`;

const eventually = async (read: () => Promise<unknown>, expected: unknown) => {
  await expect.poll(read).toEqual(expected);
};

const shown = async (id: number) =>
  (await server.call('getCallbackExecution', { params: { id: (await world.executionOf(id, 'c')).id } })).body;

describe('a worker', () => {
  it('moves the experiment after a successful callback and logs the request', async () => {
    const id = await world.experimentIn(
      states(
        `function: http, callback_arguments: {url: "${web.origin}/echo", body: {what: "{{experiment.label}}"}}, variable_map: {sent: /body/method}`,
      ),
    );
    await eventually(() => world.stateOf(id), 'good');
    expect(await world.variablesOf(id)).toEqual({ sent: 'POST' });
    const execution = await shown(id);
    expect(execution).toMatchObject({ status: 'finished', result: 'success', attempt: 1, last_error: null });
    expect(execution.run_log).toMatch(/^--- attempt 1 by .+ at .+\nPOST http:\/\/127\.0\.0\.1:\d+\/echo: 200/);
    const { experiment } = execution;
    const received = web.received.filter(({ body }) => body.includes(experiment.label));
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject({
      'x-milepost-execution': String(execution.id),
      'x-milepost-attempt': '1',
    });
    const { body } = await server.call('listExecutionAttempts', { params: { id: execution.id } });
    expect(body.attempts).toMatchObject([{ attempt: 1, worker: worker.name, error: null }]);
  });

  it('checks whether a new external system responds, and checks its new URL', async () => {
    const body = { system_name: 'archive', url: `${web.origin}/status?code=503` };
    const { id } = (await server.call('createExternalSystem', { body })).body;
    const result = async () => {
      const { body: page } = await server.call('listExternalSystemRows', { query: { after: id - 1, limit: 1 } });
      return page.external_systems[0].check?.result;
    };
    await eventually(result, 'unreachable');
    await server.call('updateExternalSystem', { params: { id }, body: { url: web.origin } });
    await eventually(result, 'reachable');
  });

  it('does not retry a permanent failure', async () => {
    const id = await world.experimentIn(states(calling('/status?code=404')));
    await eventually(() => world.stateOf(id), 'bad');
    expect(await shown(id)).toMatchObject({ result: 'failed', attempt: 1, result_values: { status: 404 } });
  });

  it('retries after a temporary failure while the execution stays running', async () => {
    let requests = 0;
    const { promise: seen, resolve: look } = Promise.withResolvers<void>();
    const flaky = await startWebServer((_request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end();
      else void seen.then(() => response.writeHead(200).end());
    });
    const second = await workerReaching(`${flaky.origin}, ${web.origin}`);
    // Only the second worker may connect to the flaky server.
    await worker.stop();
    worker = second;
    const id = await world.experimentIn(states(`function: http, callback_arguments: {url: "${flaky.origin}/"}`));
    await eventually(async () => (await shown(id)).last_error !== null, true);
    const failed = await shown(id);
    expect(failed.status).toBe('running');
    look();
    await eventually(() => world.stateOf(id), 'good');
    const { run_log } = await shown(id);
    expect(run_log).toMatch(/--- attempt 1 [^]*503[^]*--- attempt 2 /);
    await flaky.stop();
  });

  it('fails a callback to a host that is not allowed, and names the setting', async () => {
    const id = await world.experimentIn(states('function: http, callback_arguments: {url: "http://127.0.0.1:1/"}'));
    await eventually(() => world.stateOf(id), 'bad');
    expect((await shown(id)).last_error).toContain('MILEPOST_OUTGOING_ALLOW');
  });

  it('leaves an execution with wait_timeout waiting for a report', async () => {
    const id = await world.experimentIn(states(calling('/echo', ', wait_timeout: 5')));
    await eventually(async () => (await shown(id)).status, 'waiting');
    const execution = await shown(id);
    expect(execution.result_values).toMatchObject({ status: 200 });
    await world.finish(execution.id, 'success');
    expect(await world.stateOf(id)).toBe('good');
  });

  it('keeps a report received during the run as final, and only appends the log of the run', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const chatty = await startWebServer((request, response) => {
      const secret = new URL(request.url ?? '', 'http://here').searchParams.get('secret');
      const { 'x-milepost-execution': id } = request.headers;
      void fetch(`${server.baseUrl}/callback_executions/${String(id)}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'finished', result: 'success', secret_key: secret }),
      })
        .then(() => released)
        .then(() => response.writeHead(500).end());
    });
    await worker.stop();
    worker = await workerReaching(chatty.origin);
    const id = await world.experimentIn(
      states(`function: http, callback_arguments: {url: "${chatty.origin}/?secret={{execution.secret}}"}`),
    );
    await eventually(() => world.stateOf(id), 'good');
    release();
    await eventually(async () => (await shown(id)).run_log.includes('500'), true);
    expect(await shown(id)).toMatchObject({ status: 'finished', result: 'success', attempt: 1 });
    expect(JSON.stringify(await shown(id))).not.toContain('mpe_');
    await chatty.stop();
  });
});

const metricsOf = async ({ metricsUrl }: RunningWorker) => (await fetch(metricsUrl)).text();

const countsOf = async () => (await server.call('listAttention', { query: { limit: 0 } })).body.counts;

describe('a worker that starts', () => {
  const decision = `states:
  - {label: qc, decision: {due: 3d}, transitions: [{destination: end, by: person}]}
  - {label: end}
`;

  it('marks the experiments that rest, so that they no longer count as moving after an upgrade', async () => {
    const before = await countsOf();
    const id = await world.experimentIn(decision);
    await server.sql('update experiments set resting_sequence = null, version = version + 1 where id = $1', [id]);
    const another = await workerReaching(web.origin);
    await expect.poll(countsOf).toMatchObject({ decide: before.decide + 1, moving: before.moving });
    await another.stop();
  });

  it('exports the number of overdue decisions', async () => {
    const id = await world.experimentIn(decision);
    await world.experimentIn(decision);
    await server.sql(
      `update experiments set resting_since = resting_since - interval '4 days', version = version + 1 where id = $1`,
      [id],
    );
    const another = await workerReaching(web.origin);
    await expect.poll(() => metricsOf(another)).toMatch(/^milepost_overdue_decisions 1$/m);
    await another.stop();
  });
});

const metricOf = async (one: RunningWorker, name: string) =>
  Number(
    (await metricsOf(one))
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );

/** Finishes a run, and sends reports that are rejected, add a log, and add values. */
async function reportLate(): Promise<void> {
  const experiment = await world.experimentIn(pulledWorkflow(world.fresh('queue').replace(' ', '_')));
  const { id } = await world.executionOf(experiment, 'c');
  const finished = { status: 'finished', result: 'failed' };
  const late = [
    finished,
    { status: 'finished', result: 'success' },
    { run_log: 'cleaned up' },
    { result_values: { x: 1 } },
  ];
  const statuses = [];
  for (const body of late) statuses.push((await world.report(id, body)).status);
  expect(statuses).toEqual([200, 409, 200, 200]);
}

describe('the worker that counts', () => {
  it('exports moves, finished runs without late reports, and open incidents', async () => {
    const names = ['milepost_moves_total', 'milepost_finished_runs_total{result="failed"}'];
    // Events of earlier tests are counted first.
    const unread = `select count(*)::int as unread from events, insight_progress
      where (events.xid, events.id) > (insight_progress.xid, insight_progress.event_id)`;
    await expect.poll(() => server.sql(unread)).toEqual([{ unread: 0 }]);
    const all = () => Promise.all(names.map((name) => metricOf(worker, name)));
    const [moves = 0, failed = 0] = await all();
    await reportLate();
    await expect.poll(() => server.sql(unread)).toEqual([{ unread: 0 }]);
    const id = await world.experimentIn(states(calling('/status?code=404')));
    await eventually(() => world.stateOf(id), 'bad');
    await expect.poll(all).toEqual([moves + 1, failed + 2]);
    await server.sql(`insert into incidents (kind, experiment_id) values ('brake', $1)`, [id]);
    const another = await workerReaching(web.origin);
    await expect.poll(() => metricOf(another, 'milepost_open_incidents{kind="brake"}')).toBe(1);
    await another.stop();
  });
});

it('a worker removes expired data and counts it', async () => {
  await server.sql(`update events set at = now() - interval '15 days' where id <= 2`);
  const another = await workerReaching(web.origin);
  await expect.poll(() => metricsOf(another)).toContain('milepost_removed_total{what="events"} 2');
  await another.stop();
  expect(await server.sql('select from events where id <= 2')).toEqual([]);
});
