/**
 * Everything on one machine: PostgreSQL in a folder (or DATABASE_URL elsewhere), migrations, the first account, the server,
 * and a worker in the same process; with the demo also an example study that is alive.
 */
import { readFile } from 'node:fs/promises';
import {
  announce,
  announceWorker,
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

/** The metrics are on free ports: of two such starts on one machine, none stands in the other's way. */
const defaults = { MILEPOST_LOG_LEVEL: 'warn', MILEPOST_METRICS_PORT: '0', MILEPOST_WORKER_METRICS_PORT: '0' };

interface Wanted {
  folder: string;
  demo: boolean;
  environment: Environment;
}

export async function startEverything(started: StartedParts, { folder, demo, environment }: Wanted) {
  // A wrong setting is told before anything is started. Where the database will be is not known yet.
  const later = given(environment, 'DATABASE_URL') === undefined ? { DATABASE_URL: 'postgresql://later' } : {};
  readConfig({ ...defaults, ...later, ...environment });
  const database = await developmentDatabase(folder, environment);
  started.push(database.stop);
  const counterparts = demo ? await startCounterparts() : undefined;
  const key = { MILEPOST_CHECKPOINT_KEY_FILE: await ensureCheckpointKey(folder) };
  const settings = { ...defaults, ...key, ...withPages(environment), ...database.settings };
  const config = readConfig(counterparts ? allowing(settings, Object.values(counterparts.systems)) : settings);
  const server = await startServer(config);
  started.push(server.stop);
  started.push(await noteRunning(folder, server.url));
  announce(server);
  // The port may have been chosen by the system, so callbacks learn from the server where to report.
  const worker = await startWorker({ ...config, publicUrl: config.publicUrl ?? server.url });
  started.push(worker.stop);
  announceWorker(worker);
  if (counterparts) await play(started, { config, server, counterparts, folder });
  return { url: server.url, basePath: config.basePath };
}

interface Stage {
  config: Config;
  server: RunningServer;
  counterparts: Counterparts;
  folder: string;
}

async function play(started: StartedParts, { config, server, counterparts, folder }: Stage): Promise<void> {
  // Ended before the worker: what still waits for an answer from them need not be waited for.
  started.push(counterparts.stop);
  const { username } = config.firstAdmin;
  const password = server.firstAdmin?.generatedPassword ?? config.firstAdmin.password;
  const demo = await startDemo({
    baseUrl: server.url + config.basePath,
    systems: counterparts.systems,
    workflow: await readFile(demoWorkflow, 'utf8'),
    folder,
    admin: password === '' ? undefined : { username, password },
    tell: console.error,
  });
  started.push(demo.stop);
  announceDemo(demo);
}

function announceDemo({ coordinator }: RunningDemo): void {
  console.log('The demo study comes to life: 300 subjects in three cohorts, workflow brain_mri.');
  if (!coordinator) return;
  const { username, password } = coordinator;
  console.log(`The account of the study's coordinator is yours. Username: ${username}  Password: ${password}`);
}

/** What the operator allows, and the counterparts of the demo. */
function allowing(settings: Environment, origins: readonly string[]): Environment {
  const allowed = [settings['MILEPOST_OUTGOING_ALLOW'] ?? '', ...origins].filter((origin) => origin !== '');
  return { ...settings, MILEPOST_OUTGOING_ALLOW: allowed.join(',') };
}
