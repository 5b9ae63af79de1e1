/** Starts everything one server process consists of, and ends it in the order that loses nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database } from './database/connection.ts';
import { refuseUnfitDatabase } from './database/refuse-unfit-database.ts';
import { createFirstAdmin, type FirstAdmin } from './engine/people/create-first-admin.ts';
import { addressOf } from './http/address.ts';
import { createLogger } from './http/log.ts';
import { listenOn, serveMetrics } from './http/serve-metrics.ts';
import { startParts, type StartedParts } from './started-parts.ts';
import { removeOldTries } from './store/sign-in-failures.ts';
import { foldCounts } from './store/state-counts.ts';
import { repeat } from './work/repeat.ts';

export interface RunningServer {
  url: string;
  metricsUrl: string;
  /** Set where this start made the first account. */
  firstAdmin: FirstAdmin | undefined;
  /** Lets running requests end, then closes. */
  stop: () => Promise<void>;
}

export const startServer = (config: Config): Promise<RunningServer> => startParts((started) => start(config, started));

async function start(config: Config, started: StartedParts): Promise<RunningServer> {
  const logger = createLogger(config);
  for (const remark of config.remarks) logger.info(remark);
  const onError = (error: Error) => logger.warn({ err: error }, 'a database connection was lost');
  const database = openDatabase({ ...config, onError });
  started.push(database.close);
  await refuseUnfitDatabase(config, database);
  const { http, metrics, passwords, leave } = buildApp(config, database, logger);
  const metricsServer = await serveMetrics(metrics, config.metrics, 'MILEPOST_METRICS_PORT');
  started.push(metricsServer.stop);
  await http.ready();
  await listenOn(http.server, config, 'MILEPOST_PORT');
  started.push(() => http.close());
  started.push(foldNowAndThen(database, (error) => logger.error({ err: error }, 'counts were not folded')));
  started.push(forgetOldTries(database, (error) => logger.error({ err: error }, 'old failures were not removed')));
  // After listening: a start that fails for a port in use must not have made an account whose password nobody saw.
  const firstAdmin = await createFirstAdmin(database.db, passwords, config.firstAdmin);
  const stop = async () => {
    leave.start();
    await sleep(config.leaveSeconds * 1000);
    await started.stop();
  };
  return { url: addressOf(http.server), metricsUrl: metricsServer.url, firstAdmin, stop };
}

/**
 * Workers fold the counts of states every few seconds. Where none runs, what is not folded would grow with every move, and
 * with it the time to read a count.
 */
function foldNowAndThen({ db }: Database, onError: (error: unknown) => void): () => Promise<void> {
  return repeat(60_000, (signal) => foldCounts(db, signal), onError).stop;
}

/** By those who count them: a flood of names leaves no more rows than passwords can be checked in a quarter of an hour. */
function forgetOldTries({ db }: Database, onError: (error: unknown) => void): () => Promise<void> {
  return repeat(60_000, (signal) => removeOldTries(db, signal), onError).stop;
}
