/** Runs a benchmark against a server in its own process, as operators run it. */
import { startServerProcess, type ServerProcess } from '../packages/server/testing/processes/server-process.ts';

export const password = 'correct horse battery staple';

export async function withServer<T>(
  settings: Readonly<Record<string, string>>,
  measure: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await startServerProcess({ MILEPOST_ADMIN_PASSWORD: password, ...settings });
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}
