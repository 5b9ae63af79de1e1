/** Connects to a test database with long timeouts, so that a busy machine does not fail a test. */
import { openDatabase, type Database, type Timeouts } from '../src/database/connection.ts';

/** For tests and the processes that they start. */
export const patientSeconds = 60;

export const openTestDatabase = (databaseUrl: string, timeouts: Partial<Timeouts> = {}): Database =>
  openDatabase({
    databaseUrl,
    poolSize: 10,
    streamPoolSize: 4,
    onError: () => undefined,
    statementSeconds: patientSeconds,
    timeouts,
  });
