/**
 * A database for each test file, cloned from the migrated template, so that files run side by side and none sees
 * another's rows. Tests work as the application's role, as production does.
 */
import { inject } from 'vitest';
import { cloneDatabase, type CloneOptions, type TestDatabase, type TestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

export { withClient, type TestDatabase } from './test-server.ts';

/** Drop it when the file is done. */
export const createTestDatabase = (options: CloneOptions = {}): Promise<TestDatabase> =>
  cloneDatabase(inject('testServer'), options);
