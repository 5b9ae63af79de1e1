/** Upgrades as operators do: migrate while the old processes serve, start the new ones, stop the old ones. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sendJson, startWebServer } from '../../packages/server/testing/counterparts/web-server.ts';
import { insertStudyRows } from '../../packages/server/testing/rows/many-rows.ts';
import { sourceOf, type Program } from '../../packages/server/testing/processes/program-process.ts';
import { startServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import {
  cloneDatabase,
  startTestPostgres,
  withClient,
  type TestDatabase,
} from '../../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../../packages/server/testing/processes/worker-process.ts';
import { password } from '../faults/testbed/settings.ts';
import { createStudy, countDone, startLoad, type Load } from '../restore/load.ts';
import { until } from '../restore/until.ts';
import type { Previous } from './previous.ts';
import { startReaders, type Readers } from './readers.ts';

const experiments = 12;

export async function tryUpgrade(previous: Previous): Promise<string[]> {
  const receiver = await startWebServer((request, response) => {
    request.resume();
    sendJson(response, 200, {});
  });
  const { server: postgres, end } = await startTestPostgres();
  try {
    return await upgrade(previous, await cloneDatabase(postgres, { empty: true }), receiver.origin);
  } finally {
    await end();
    await receiver.stop();
  }
}

async function upgrade(previous: Previous, database: TestDatabase, receiver: string): Promise<string[]> {
  await migrateWith(previous.program('migrate'), database);
  const old = await start(previous.program, database, receiver);
  await withClient(database.ownerUrl, async (client) => {
    await insertStudyRows(client);
    await client.query(closeExecutions);
  });
  const ids = await createStudy(old.baseUrl, receiver, experiments);
  const [load, readers] = [startLoad(old.baseUrl, ids.slice(0, 6)), startReaders(old.baseUrl, ids)];
  await waitForMoves(load, 'previous release');
  const started = performance.now();
  await migrateWith(sourceOf('migrate'), database);
  console.log(`migrated in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  await waitForMoves(load, 'previous release on the new schema');
  const current = await start(sourceOf, database, receiver);
  const after = [startLoad(current.baseUrl, ids.slice(6)), startReaders(current.baseUrl, ids)] as const;
  await waitForMoves(after[0], 'both releases');
  await Promise.all([load.stop(), readers.stop()]);
  await old.stop();
  await waitForMoves(after[0], 'new release alone');
  await Promise.all(after.map((one) => one.stop()));
  await current.stop();
  return failuresOf([load, after[0]], [readers, after[1]]);
}

/** The seeded open executions are made for query plans. No worker should run them. */
const closeExecutions = `
  update callback_executions set status = 'skipped', result = 'none', finished = created, run_start = null, deadline = null,
    next_attempt_at = null where status in ('queued', 'running');
  update execution_attempts set ended_at = started_at where ended_at is null;`;

async function waitForMoves(load: Load, phase: string): Promise<void> {
  const before = countDone(load);
  await until(() => countDone(load) > before + 200);
  if (countDone(load) <= before + 200) throw new Error(`${phase}: only ${countDone(load) - before} moves`);
  console.log(`${phase}: ${countDone(load) - before} moves`);
}

const settingsOf = ({ databaseUrl }: TestDatabase) => ({
  DATABASE_URL: databaseUrl,
  MILEPOST_LOG_LEVEL: 'warn',
  MILEPOST_ADMIN_PASSWORD: password,
});

async function start(program: (name: 'serve' | 'work') => Program, database: TestDatabase, receiver: string) {
  const settings = settingsOf(database);
  const server = await startServerProcess(settings, program('serve'));
  const worker = await startWorkerProcess({ ...settings, MILEPOST_OUTGOING_ALLOW: receiver }, program('work'));
  const stop = async () => {
    await Promise.all([server.stop(), worker.stop()]);
    const output = server.output() + worker.output();
    const errors = output.split('\n').filter((line) => /"level":"?(50|60|error|fatal)/.test(line));
    if (errors.length > 0) console.log(`${errors.length} errors in the logs. The first one: ${errors[0]}`);
  };
  return { baseUrl: server.baseUrl, stop };
}

async function migrateWith({ file, flags }: Program, database: TestDatabase): Promise<void> {
  const env = { ...process.env, ...settingsOf(database), MILEPOST_OWNER_DATABASE_URL: database.ownerUrl };
  await promisify(execFile)(process.execPath, [...flags, file], { env });
}

/** A 409 means that the engine has not moved the experiment back yet. Any other status than 200 is a failure. */
function failuresOf(loads: readonly Load[], readers: readonly Readers[]): string[] {
  const moves = loads.flatMap((load) => load.moves).filter(({ status }) => status !== 200 && status !== 409);
  const reads = readers.flatMap(({ failed }) => failed);
  const total = loads.flatMap((load) => load.moves).length + readers.reduce((sum, { count }) => sum + count(), 0);
  console.log(`${total} requests, ${moves.length + reads.length} failed`);
  return [...moves.map(({ number, status }) => `move ${number}: ${status}`), ...reads].slice(0, 20);
}
