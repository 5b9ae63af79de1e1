/** Two server processes on one database. */
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { testPassword } from '../server.ts';

export interface TwoServers {
  database: TestDatabase;
  one: ServerProcess;
  other: ServerProcess;
  stop: () => Promise<void>;
}

export async function startTwoServers(more: Readonly<Record<string, string>> = {}): Promise<TwoServers> {
  const database = await createTestDatabase();
  const settings = { ...more, DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: testPassword };
  const one = await startServerProcess(settings);
  const other = await startServerProcess(settings);
  const stop = async () => {
    await Promise.all([one.stop(), other.stop()]);
    await database.drop();
  };
  return { database, one, other, stop };
}
