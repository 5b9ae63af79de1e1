/** The engine on the database of a test server, set up as for the periodic tasks of a worker. */
import type { EngineContext } from '../src/engine/experiments/optimistic-lock.ts';
import { createWorkflowModels } from '../src/engine/experiments/workflow-model.ts';
import { allCohorts } from '../src/store/scope.ts';
import type { TestServer } from './server.ts';

export const engineContext = ({ database }: Pick<TestServer, 'database'>, operation: string): EngineContext => ({
  db: database.db,
  scope: allCohorts,
  models: createWorkflowModels(),
  maxValuesBytes: 1024 * 1024,
  author: { kind: 'engine', id: null, requestId: null, operation },
  wake: () => undefined,
  onError: (error) => {
    throw error;
  },
});
