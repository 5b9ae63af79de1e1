/** What handlers work with beyond what http knows of: it is made in app.ts and reaches them with each call. */
import type { WorkflowModels } from '../engine/workflow-model.ts';

export interface WorkflowServices {
  models: WorkflowModels;
}

declare module '../http/call.ts' {
  interface Services extends WorkflowServices {}
}
