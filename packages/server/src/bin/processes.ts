/** What each of our processes does from its start to its end, told by settings alone. */
import { readConfig, readMigrationSettings, type Environment } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { startServer } from '../start-server.ts';
import { startWorker } from '../start-worker.ts';
import { announce, announceWorker } from './announce.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { sayFailure } from './say-failure.ts';

/** Serves the interface. The database must have been migrated. */
export function serve(environment: Environment): void {
  runUntilStopped(async () => {
    const server = await startServer(readConfig(environment));
    announce(server);
    return server;
  });
}

/** Runs callbacks. As many of these may run as are wanted, anywhere. */
export function work(environment: Environment): void {
  runUntilStopped(async () => {
    const worker = await startWorker(readConfig(environment));
    announceWorker(worker);
    return worker;
  });
}

/** Brings the database up to date, as its owner, for the role that the server signs in as. */
export async function migrateDatabase(environment: Environment): Promise<void> {
  try {
    const { applied } = await migrate(readMigrationSettings(environment));
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
  } catch (error) {
    sayFailure(error, 'MILEPOST_OWNER_DATABASE_URL');
    process.exitCode = 1;
  }
}
