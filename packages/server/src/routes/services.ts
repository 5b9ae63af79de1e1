/** Dependencies of handlers beyond those of `http`, which must not import the engine. They are created in app.ts. */
import type { PulledJobs } from '../jobs/pulled-jobs.ts';
import type { WorkflowModels } from '../engine/workflow-model.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Tail } from './follow-events.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { Resets } from './password-resets.ts';

declare module '../http/call.ts' {
  interface Services {
    models: WorkflowModels;
    /** Notifies workers of new jobs in these queues. */
    wake: (queues: readonly string[]) => void;
    pulled: PulledJobs;
    /** Shown on the sign-in page, if it is configured. */
    singleSignOn: SingleSignOn | null;
    /** Delivers events to all clients of this process. */
    tail: Tail;
    eventStreams: Set<EventStream>;
    resets: Resets;
  }
}
