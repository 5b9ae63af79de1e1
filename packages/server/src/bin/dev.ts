#!/usr/bin/env node
/**
 * Everything on one machine, for development: PostgreSQL in the folder .data (or DATABASE_URL elsewhere), migrations,
 * the first account, the server, and a worker in the same process; with --demo also an example study that is alive.
 * Only what goes wrong is logged; MILEPOST_LOG_LEVEL=info shows every request. Ctrl-C ends all of it.
 */
import { resolve } from 'node:path';
import { readConfig, SettingsError, type Config } from '../config.ts';
import { startCounterparts, startDemo, type Counterparts } from '../demo/start-demo.ts';
import { startServer, type RunningServer } from '../start-server.ts';
import { startWorker } from '../start-worker.ts';
import { announce, announceDemo, announceWorker } from './announce.ts';
import { developmentDatabase } from './development-database.ts';
import { runUntilStopped } from './run-until-stopped.ts';

const folder = resolve('.data');

/** The metrics of the worker are on a free port: of two such starts on one machine, none stands in the other's way. */
const defaults = { MILEPOST_LOG_LEVEL: 'warn', MILEPOST_WORKER_METRICS_PORT: '0' };

type Ends = (() => Promise<void>)[];

runUntilStopped(async () => {
  const wantsDemo = readArguments(process.argv.slice(2));
  const started: Ends = [];
  const stop = async () => {
    for (const end of started.toReversed()) await end();
  };
  try {
    await startAll(started, wantsDemo);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
});

async function startAll(started: Ends, wantsDemo: boolean): Promise<void> {
  const database = await developmentDatabase(folder, process.env);
  started.push(database.stop);
  const counterparts = wantsDemo ? await startCounterparts() : undefined;
  const settings = { ...defaults, ...process.env, ...database.settings };
  const config = readConfig(counterparts ? allowing(settings, Object.values(counterparts.systems)) : settings);
  const server = await startServer(config);
  started.push(server.stop);
  announce(server);
  // The port may have been chosen by the system, so callbacks learn from the server where to report.
  const worker = await startWorker({ ...config, publicUrl: config.publicUrl ?? server.url });
  started.push(worker.stop);
  announceWorker(worker);
  if (counterparts) await play(started, config, server, counterparts);
}

async function play(started: Ends, config: Config, server: RunningServer, counterparts: Counterparts): Promise<void> {
  // Ended before the worker: what still waits for an answer from them need not be waited for.
  started.push(counterparts.stop);
  const { username } = config.firstAdmin;
  const password = server.firstAdmin?.generatedPassword ?? config.firstAdmin.password;
  const demo = await startDemo({
    baseUrl: server.url + config.basePath,
    systems: counterparts.systems,
    folder,
    admin: password === '' ? undefined : { username, password },
    tell: console.error,
  });
  started.push(demo.stop);
  announceDemo(demo);
}

function readArguments(given: readonly string[]): boolean {
  const unknown = given.find((argument) => argument !== '--demo');
  if (unknown !== undefined) throw new SettingsError(`${unknown} is not known here: there is only --demo.`);
  return given.length > 0;
}

/** What the operator allows, and the counterparts of the demo. */
function allowing(settings: Readonly<Record<string, string | undefined>>, origins: readonly string[]) {
  const allowed = [settings['MILEPOST_OUTGOING_ALLOW'] ?? '', ...origins].filter((origin) => origin !== '');
  return { ...settings, MILEPOST_OUTGOING_ALLOW: allowed.join(',') };
}
