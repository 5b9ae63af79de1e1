/** Connects to a test database with long timeouts, so that a busy machine does not fail a test. */
import { openDatabase, type Database, type Timeouts } from '../src/database/connection.ts';

export const longTimeouts: Timeouts = { connectMs: 60_000, statementMs: 60_000, lockMs: 20_000 };

export const openTestDatabase = (databaseUrl: string, timeouts: Partial<Timeouts> = {}): Database =>
  openDatabase({
    databaseUrl,
    poolSize: 10,
    streamPoolSize: 4,
    streamPauseSeconds: 30,
    onError: () => undefined,
    timeouts: { ...longTimeouts, ...timeouts },
  });
