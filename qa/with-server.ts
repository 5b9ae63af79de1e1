/** Runs a server with an empty database and an administrator for one program. If the program fails, the server's log is printed. */
import { cloneDatabase, startTestPostgres } from '../packages/server/testing/postgres-server.ts';
import { startServerProcess, type ServerProcess } from '../packages/server/testing/processes/server-process.ts';

export const admin = { username: 'admin', password: 'violet harbour 31 kettles' };

export async function withServer<T>(use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const { server: postgres, end } = await startTestPostgres();
  try {
    const { databaseUrl } = await cloneDatabase(postgres);
    return await useServer(databaseUrl, use);
  } finally {
    await end();
  }
}

async function useServer<T>(databaseUrl: string, use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startServerProcess({
    DATABASE_URL: databaseUrl,
    MILEPOST_LOG_LEVEL: 'error',
    MILEPOST_ADMIN_USERNAME: admin.username,
    MILEPOST_ADMIN_PASSWORD: admin.password,
  });
  try {
    return await use(server);
  } catch (error) {
    console.log(server.output());
    throw error;
  } finally {
    await server.stop();
  }
}
