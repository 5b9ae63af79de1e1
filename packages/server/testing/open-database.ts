/** Connections to a test's database that wait longer than usual: a machine that stands still for some seconds is no fault of ours. */
import { openDatabase, type Database, type Patience } from '../src/database/connection.ts';

export const longPatience: Patience = { connectMs: 60_000, statementMs: 60_000, lockMs: 20_000 };

export const openTestDatabase = (databaseUrl: string, patience: Partial<Patience> = {}): Database =>
  openDatabase({
    databaseUrl,
    poolSize: 10,
    streamPoolSize: 4,
    streamPauseSeconds: 30,
    onError: () => undefined,
    patience: { ...longPatience, ...patience },
  });
