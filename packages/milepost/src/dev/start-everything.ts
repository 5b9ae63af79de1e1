/**
 * Starts everything in one process: an embedded PostgreSQL (unless DATABASE_URL is set), the migrations, the server with its
 * first account, a worker and, on request, the demo.
 */
import { readFile } from 'node:fs/promises';
import {
  announce,
  announceWorker,
  checkAddress,
  firstPasswordFile,
  given,
  readConfig,
  startCounterparts,
  startDemo,
  startServer,
  startWorker,
  type Config,
  type Counterparts,
  type Environment,
  type RunningDemo,
  type RunningServer,
  type StartedParts,
} from '@milepost/server';
import { demoWorkflow, withPages } from '../packaged.ts';
import { ensureCheckpointKey } from './checkpoint-key.ts';
import { developmentDatabase } from './development-database.ts';
import { noteRunning } from './running-note.ts';

/** The metrics use free ports, so that two instances can run on one machine. */
const defaults = { MILEPOST_LOG_LEVEL: 'warn', MILEPOST_METRICS_PORT: '0', MILEPOST_WORKER_METRICS_PORT: '0' };

interface Options {
  folder: string;
  demo: boolean;
  environment: Environment;
}

export async function startEverything(started: StartedParts, { folder, demo, environment }: Options) {
  // Report invalid settings before anything starts. The embedded database has no URL yet.
  const placeholder = given(environment, 'DATABASE_URL') === undefined ? { DATABASE_URL: 'postgresql://later' } : {};
  const early = readConfig({ ...defaults, ...placeholder, ...environment });
  await checkAddress(early, '--port or MILEPOST_PORT');
  const database = await developmentDatabase(folder, environment);
  started.push(database.stop);
  const counterparts = demo ? await startCounterparts() : undefined;
  const key = { MILEPOST_CHECKPOINT_KEY_FILE: await ensureCheckpointKey(folder) };
  const settings = { ...defaults, ...key, ...withPages(environment), ...database.settings };
  const config = readConfig(counterparts ? allowing(settings, Object.values(counterparts.systems)) : settings);
  const server = await startServer(config, firstPasswordFile(folder));
  started.push(server.stop);
  started.push(await noteRunning(folder, server.url));
  announce(server);
  // The port may be a free one, so the worker takes the URL for reports from the server.
  const worker = await startWorker({ ...config, publicUrl: config.publicUrl ?? server.url });
  started.push(worker.stop);
  announceWorker(worker);
  if (counterparts) await runDemo(started, { config, server, counterparts, folder });
  return { url: server.url, basePath: config.basePath };
}

interface DemoParts {
  config: Config;
  server: RunningServer;
  counterparts: Counterparts;
  folder: string;
}

async function runDemo(started: StartedParts, { config, server, counterparts, folder }: DemoParts): Promise<void> {
  // Stops before the worker, so that no callback waits for a response.
  started.push(counterparts.stop);
  const { username } = config.firstAdmin;
  const password = server.firstAdmin?.generatedPassword ?? config.firstAdmin.password;
  const demo = await startDemo({
    baseUrl: server.url + config.basePath,
    systems: counterparts.systems,
    workflow: await readFile(demoWorkflow, 'utf8'),
    folder,
    admin: password === '' ? undefined : { username, password },
    log: console.error,
  });
  started.push(demo.stop);
  announceDemo(demo);
}

function announceDemo({ coordinator }: RunningDemo): void {
  console.log('The demo is running, with 300 subjects in 3 cohorts and the workflow brain_mri.');
  if (!coordinator) return;
  const { username, password } = coordinator;
  console.log(`Sign in as the study coordinator. Username: ${username}  Password: ${password}`);
}

/** Allows callbacks to connect to the simulated systems, in addition to what the operator allows. */
function allowing(settings: Environment, origins: readonly string[]): Environment {
  const allowed = [settings['MILEPOST_OUTGOING_ALLOW'] ?? '', ...origins].filter((origin) => origin !== '');
  return { ...settings, MILEPOST_OUTGOING_ALLOW: allowed.join(',') };
}
