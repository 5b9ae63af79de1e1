/**
 * A database for each test file, cloned from the migrated template, so that test files can run in parallel. Tests connect with
 * the application's role, as in production.
 */
import { inject } from 'vitest';
import { cloneDatabase, type CloneOptions, type TestDatabase, type TestServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

export { withClient, type TestDatabase } from './postgres-server.ts';

/** Call `drop` at the end of the test file. */
export const createTestDatabase = (options: CloneOptions = {}): Promise<TestDatabase> =>
  cloneDatabase(inject('testServer'), options);
