/** Starts the server in its own process on a migrated, empty database. */
import { startServerProcess, type ServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { withClient, type TestDatabase } from '../../packages/server/testing/postgres-server.ts';
import type { Target } from './conformance.ts';
import { password, type Value } from './step.ts';

export async function startOn({ databaseUrl }: TestDatabase): Promise<{ target: Target; server: ServerProcess }> {
  const settings = {
    DATABASE_URL: databaseUrl,
    MILEPOST_LOG_LEVEL: 'error',
    MILEPOST_ADMIN_USERNAME: 'admin',
    MILEPOST_ADMIN_PASSWORD: password,
  };
  const server = await startServerProcess(settings);
  const insert = (sql: string, values: Value[]): Promise<Record<string, Value>> =>
    withClient(databaseUrl, async (client) => {
      const { rows } = await client.query<Record<string, Value>>(sql, values);
      return rows[0] ?? {};
    });
  return { target: { baseUrl: server.baseUrl, insert }, server };
}
