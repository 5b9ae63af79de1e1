#!/usr/bin/env node
/**
 * Everything on one machine, for development: PostgreSQL in the folder .data (or DATABASE_URL elsewhere), migrations,
 * the first account, the server, and a worker in the same process. Only what goes wrong is logged;
 * MILEPOST_LOG_LEVEL=info shows every request. Ctrl-C ends all of it.
 */
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { startServer } from '../start-server.ts';
import { startWorker } from '../start-worker.ts';
import { announce, announceWorker } from './announce.ts';
import { developmentDatabase } from './development-database.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** The metrics of the worker are on a free port: of two such starts on one machine, none stands in the other's way. */
const defaults = { MILEPOST_LOG_LEVEL: 'warn', MILEPOST_WORKER_METRICS_PORT: '0' };

runUntilStopped(async () => {
  const started: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of started.toReversed()) await end();
  };
  try {
    const database = await developmentDatabase(resolve('.data'), process.env);
    started.push(database.stop);
    const config = readConfig({ ...defaults, ...process.env, ...database.settings });
    const server = await startServer(config);
    started.push(server.stop);
    announce(server);
    // The port may have been chosen by the system, so callbacks learn from the server where to report.
    const worker = await startWorker({ ...config, publicUrl: config.publicUrl ?? server.url });
    started.push(worker.stop);
    announceWorker(worker);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
});
