/** Starts a server for a test file, with the builders and readers of the engine's tests. It stops after the last test of the file. */
import { afterAll } from 'vitest';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import { startTestServer, type TestServer } from './server.ts';

export async function startEngineWorld(): Promise<{ server: TestServer; world: EngineWorld }> {
  const server = await startTestServer();
  afterAll(() => server.stop());
  return { server, world: createEngineWorld(server) };
}
