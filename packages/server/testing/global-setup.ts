/** Once for a run of the tests: a server, two roles, and a migrated database that test files clone. */
import type { TestProject } from 'vitest/node';
import { prepareServer, type TestServer } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, end } = await prepareServer();
  project.provide('testServer', server);
  return end;
}
