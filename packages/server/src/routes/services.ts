/**
 * What handlers work with beyond what http knows of: made in app.ts, it reaches them with each call. http is told here, as
 * it must not import the engine.
 */
import type { PulledJobs } from '../jobs/pulled-jobs.ts';
import type { WorkflowModels } from '../engine/workflow-model.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Tail } from './follow-events.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { Resets } from './password-resets.ts';

declare module '../http/call.ts' {
  interface Services {
    models: WorkflowModels;
    /** Tells workers that there are jobs in these queues. */
    wake: (queues: readonly string[]) => void;
    pulled: PulledJobs;
    /** What the page of sign-in shows beside name and password. */
    singleSignOn: SingleSignOn | null;
    /** Follows the events for all who are connected to this process. */
    tail: Tail;
    eventStreams: Set<EventStream>;
    resets: Resets;
  }
}
