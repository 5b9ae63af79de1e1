/** Provokes alerts in an installation of separate processes, and waits until they fire. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic } from '../../../packages/api/src/index.ts';
import { createCheckpointKey } from '../../../packages/server/src/chain/checkpoint-key.ts';
import { openLink, type Link } from '../../../packages/server/testing/counterparts/database-link.ts';
import {
  cloneDatabase,
  startTestPostgres,
  withClient,
  type TestDatabase,
} from '../../../packages/server/testing/postgres-server.ts';
import { startServerProcess, type ServerProcess } from '../../../packages/server/testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../packages/server/testing/processes/worker-process.ts';
import { until } from '../../faults/until.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';

const password = 'violet harbour 31 kettles';

/** More than the threshold of MilepostIncidentsOpen. */
const failing = 21;

const workflow = `label: alerts
initial: start
states:
  - label: start
    transitions: [{destination: forbidden, by: person}, {destination: unclaimed, by: person}]
  - label: forbidden
    callbacks: [{label: call, function: http, callback_arguments: {url: "http://127.0.0.1:9/"}}]
    transitions: [{destination: start, condition: "callbacks['call'].result == 'success'"}]
  - label: unclaimed
    callbacks: [{label: pull, function: worker, callback_arguments: {queue: gpu}}]
    transitions: [{destination: start, by: engine}]
`;

interface Installation {
  database: TestDatabase;
  link: Link;
  server: ServerProcess;
  worker: WorkerProcess;
}

type Provocation = readonly [alerts: readonly string[], provoke: () => Promise<unknown>];

/** Returns the alerts that fired before they were provoked. */
export async function provokeAlerts(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-alerts-'));
  const { server: postgres, end } = await startTestPostgres();
  try {
    const installation = await start(await cloneDatabase(postgres), folder);
    const { server, worker, link } = installation;
    const prometheus = await startPrometheus([server, worker].map(metricsUrlOf));
    const wrong = await provokeAll(prometheus, installation);
    await prometheus.stop();
    await Promise.all([server.stop(), worker.stop('SIGKILL')]);
    await link.stop();
    return wrong;
  } finally {
    await end();
    await rm(folder, { recursive: true, force: true });
  }
}

const metricsUrlOf = ({ output }: { output: () => string }): string => /metrics at (\S+)\)/.exec(output())?.[1] ?? '';

async function start(database: TestDatabase, folder: string): Promise<Installation> {
  const link = await openLink(Number(new URL(database.databaseUrl).port));
  const keyFile = join(folder, 'key.pem');
  await writeFile(keyFile, createCheckpointKey(), { mode: 0o600 });
  const settings = { DATABASE_URL: link.through(database.databaseUrl) };
  const server = await startServerProcess({ ...settings, MILEPOST_ADMIN_PASSWORD: password });
  const worker = await startWorkerProcess({ ...settings, MILEPOST_CHECKPOINT_KEY_FILE: keyFile });
  return { database, link, server, worker };
}

async function provokeAll(prometheus: Prometheus, installation: Installation): Promise<string[]> {
  const { server, worker, link, database } = installation;
  const experiments = await createStudy(server);
  const sql = (text: string) => withClient(database.superuserUrl, (client) => client.query(text));
  await until('the worker has signed the history', async () => (await sql('select from checkpoints')).rowCount !== 0);
  await until('Prometheus has scraped', async () => (await prometheus.query('milepost_open_incidents')).length > 0);
  const move = (id: number, state: string) => call(server, 'PUT', `/experiments/${id}/state`, { state });
  const provocations: readonly Provocation[] = [
    [['MilepostIncidentsOpen'], () => Promise.all(experiments.slice(0, failing).map((id) => move(id, 'forbidden')))],
    [
      ['MilepostQueueWaits'],
      async () => {
        await move(experiments.at(-1) ?? 0, 'unclaimed');
        // As if it had waited for 20 minutes.
        await sql(`update pgboss.job set created_on = created_on - interval '20 minutes',
          start_after = start_after - interval '20 minutes' where name like 'pull/%'`);
      },
    ],
    [['MilepostDatabaseDown'], async () => link.inject('down')],
    [['MilepostDown', 'MilepostNoWorker'], () => (link.restore(), worker.stop('SIGKILL'))],
    [
      ['MilepostCheckpointsOverdue'],
      // As if the changes since the last checkpoint had been made 10 minutes ago.
      async () => {
        await move(experiments.at(-2) ?? 0, 'unclaimed');
        await sql(`set session_replication_role = replica; update history set at = at - interval '10 minutes'`);
      },
    ],
  ];
  const early: string[] = [];
  for (const [alerts, provoke] of provocations) {
    const before = await prometheus.firing();
    early.push(...alerts.filter((alert) => before.includes(alert)).map((alert) => `${alert} fires unprovoked`));
    await provoke();
    for (const alert of alerts) {
      await until(`${alert} fires`, async () => (await prometheus.firing()).includes(alert), 500);
      console.log(`Provoked: ${alert}`);
    }
  }
  return early;
}

async function createStudy(server: ServerProcess): Promise<number[]> {
  await call(server, 'POST', '/service/config/import-workflow', { workflow_definition: workflow });
  await call(server, 'POST', '/cohorts', { label: 'alerts' });
  await call(server, 'POST', '/subjects', { label: 'one', cohort_label: 'alerts' });
  const ids: number[] = [];
  for (let number = 0; number < failing + 2; number++) {
    const subject = { subject_label: 'one', cohort_label: 'alerts' };
    const wanted = { label: `experiment ${number}`, ...subject, workflow_label: 'alerts' };
    ids.push((await call<{ id: number }>(server, 'POST', '/experiments', wanted)).id);
  }
  return ids;
}

async function call<T>({ baseUrl }: ServerProcess, method: string, path: string, body: object): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: basic('admin', password), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
