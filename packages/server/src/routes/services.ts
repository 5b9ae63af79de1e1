/** What handlers work with beyond what http knows of: it is made in app.ts and reaches them with each call. */
import type { WorkflowModels } from '../engine/workflow-model.ts';

declare module '../http/call.ts' {
  interface Services {
    models: WorkflowModels;
  }
}
