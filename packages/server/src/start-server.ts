/** Starts all parts of a server process, and stops them in an order that loses nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database } from './database/connection.ts';
import { checkDatabase } from './database/check-database.ts';
import { createFirstAdmin, type FirstAdmin } from './engine/people/create-first-admin.ts';
import { outdatedPasswordRemoval, writeFirstPassword } from './engine/people/first-password-file.ts';
import { addressOf } from './http/address.ts';
import { createLogger } from './http/log.ts';
import { listenOn, serveMetrics } from './http/serve-metrics.ts';
import { conditionsEveryMs } from './routes/system/watch-conditions.ts';
import { startParts, type StartedParts } from './started-parts.ts';
import { removeExpiredFailures } from './store/people/sign-in-failures.ts';
import { foldCounts } from './store/experiments/state-counts.ts';
import { keepContact } from './work/heartbeats.ts';
import { registerProcess } from './work/register-process.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { repeat } from './work/repeat.ts';

export interface RunningServer {
  url: string;
  metricsUrl: string;
  /** Set if this start created the first account. */
  firstAdmin: FirstAdmin | undefined;
  /** The file with its generated password. Undefined if the password is to be printed. */
  passwordFile: string | undefined;
  /** Waits for running requests, then closes. */
  stop: () => Promise<void>;
}

/** `passwordFile` is where to store the generated password of the first account, unless a terminal shows it. */
export const startServer = (config: Config, passwordFile?: string): Promise<RunningServer> =>
  startParts((started) => start(config, started, passwordFile));

async function start(config: Config, started: StartedParts, passwordFile?: string): Promise<RunningServer> {
  const logger = createLogger(config);
  for (const remark of config.remarks) logger.info(remark);
  const tracing = await startTracing(config.tracing, { kind: 'server', log: logger }, started);
  const onError = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = openDatabase({ ...config, onError });
  started.push(database.close);
  await checkDatabase(config, database);
  const { http, metrics, passwords, shutdown, conditions } = buildApp(config, database, logger, tracing);
  const metricsServer = await serveMetrics(metrics, config.metrics, 'MILEPOST_METRICS_PORT');
  started.push(metricsServer.stop);
  await http.ready();
  await listenOn(http.server, config, 'MILEPOST_PORT');
  started.push(() => http.close());
  started.push(keepContact(database.db, 'server', logger).stop);
  started.push(foldCountsPeriodically(database, (error) => logger.error({ err: error }, 'failed to update counts')));
  started.push(
    removeOldFailures(database, (error) => logger.error({ err: error }, 'failed to remove old sign-in failures')),
  );
  started.push(
    repeat(conditionsEveryMs, conditions.refresh, (error) => logger.error({ err: error }, 'failed to read conditions'))
      .stop,
  );
  started.push(registerProcess(database.db, 'server', () => 0, logger).stop);
  // After listening: if the port is in use, no account must exist whose generated password was never shown.
  const keep = passwordFile === undefined ? undefined : writeFirstPassword.bind(undefined, passwordFile);
  const firstAdmin = await createFirstAdmin(database.db, passwords, config.firstAdmin, keep);
  if (passwordFile !== undefined) {
    const { username } = config.firstAdmin;
    const remove = outdatedPasswordRemoval({ db: database.db, passwords, file: passwordFile, username });
    started.push(
      repeat(5000, remove, (error) => logger.warn({ err: error }, 'failed to check the password file')).stop,
    );
  }
  const stop = async () => {
    shutdown.start();
    await sleep(config.leaveSeconds * 1000);
    await started.stop();
  };
  return { url: addressOf(http.server), metricsUrl: metricsServer.url, firstAdmin, passwordFile, stop };
}

/** Workers fold the counts per state every few seconds. Without a worker, the deltas would grow and make counts slow to read. */
function foldCountsPeriodically({ db }: Database, onError: (error: unknown) => void): () => Promise<void> {
  return repeat(60_000, (signal) => foldCounts(db, signal), onError).stop;
}

/** Bounds the table: it has at most as many rows as passwords that can be checked in 15 minutes. */
function removeOldFailures({ db }: Database, onError: (error: unknown) => void): () => Promise<void> {
  return repeat(60_000, (signal) => removeExpiredFailures(db, signal), onError).stop;
}
