/** The engine on the database of a test server, as the tasks of a worker have it. */
import type { Moving } from '../src/engine/settle.ts';
import { createWorkflowModels } from '../src/engine/workflow-model.ts';
import { allCohorts } from '../src/store/scope.ts';
import type { TestServer } from './server.ts';

export const engineAs = ({ database }: Pick<TestServer, 'database'>, operation: string): Moving => ({
  db: database.db,
  scope: allCohorts,
  models: createWorkflowModels(),
  author: { kind: 'engine', id: null, requestId: null, operation },
  wake: () => undefined,
});
