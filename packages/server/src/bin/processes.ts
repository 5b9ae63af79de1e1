/** The commands `serve`, `work` and `migrate`, configured by the environment only. */
import { readConfig, readMigrationSettings, type Environment } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { startServer } from '../start-server.ts';
import { startWorker } from '../start-worker.ts';
import { announce, announceWorker, firstPasswordFile } from './announce.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { printFailure } from './print-failure.ts';

/** Serves the API and the web pages. The database must have been migrated. */
export function serve(environment: Environment): void {
  runUntilStopped(async () => {
    const server = await startServer(readConfig(environment), firstPasswordFile(process.cwd()));
    announce(server);
    return server;
  });
}

/** Runs callbacks. Any number of workers can run, on any machine. */
export function work(environment: Environment): void {
  runUntilStopped(async () => {
    const worker = await startWorker(readConfig(environment));
    announceWorker(worker);
    return worker;
  });
}

/** Migrates the database as the owner role, and grants the application role its permissions. */
export async function migrateDatabase(environment: Environment): Promise<void> {
  try {
    const { applied } = await migrate(readMigrationSettings(environment));
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
  } catch (error) {
    printFailure(error, 'MILEPOST_OWNER_DATABASE_URL');
    process.exitCode = 1;
  }
}
