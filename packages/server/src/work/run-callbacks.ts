/**
 * What a worker does with the queue of callbacks: takes jobs, runs their attempts, keeps their leases, and when it has to
 * stop gives back what does not end by itself in time.
 */
import type { Logger } from 'pino';
import { startAttempts, type RunningAttempt } from '../engine/executions/start-attempts.ts';
import type { Queue } from '../jobs/open-queue.ts';
import { callbackQueue } from '../jobs/queue-names.ts';
import { renewLeases } from '../store/attempts.ts';
import type { WorkMetrics } from './metrics.ts';
import { repeat } from './repeat.ts';
import { holdRun, runAttempt, Stopped, type HeldRun, type Workshop } from './run-attempt.ts';
import { takeJobs } from './take-jobs.ts';

export interface CallbackWork {
  workshop: Workshop;
  queue: Queue;
  places: number;
  /** The name that attempts carry. */
  worker: string;
  log: Logger;
  metrics: WorkMetrics;
}

/** A third of the lease: two may be lost on the way. */
const heartbeatMs = 10_000;
/** What is about to end may end; the rest of the ten seconds is for giving back. */
const graceMs = 5000;

export function runCallbacks({ workshop, queue, places, worker, log, metrics }: CallbackWork) {
  const held = new Map<number, HeldRun>();
  const onError = (error: unknown) => log.error({ err: error }, 'the worker met an error');

  const run = async (started: RunningAttempt) => {
    const one = holdRun(started);
    held.set(one.executionId, one);
    try {
      const ended = await runAttempt(workshop, started, one);
      metrics.ended(ended);
      if (ended === 'stale') {
        const { executionId, attempt } = one;
        log.warn(
          { code: 'stale_attempt', execution_id: executionId, attempt },
          'the outcome of a lost attempt was refused',
        );
      }
    } finally {
      held.delete(one.executionId);
    }
  };
  const taking = takeJobs<RunningAttempt>({
    places,
    take: (most) => queue.take(callbackQueue, most),
    start: (ids) => startAttempts(workshop.moving, ids, worker),
    run,
    onError,
  });
  const heartbeats = repeat(heartbeatMs, () => beat(workshop, held), onError);
  return {
    wake: taking.wake,
    running: taking.running,
    stop: async () => {
      const giveBack = setTimeout(() => stopAll(held, 'The worker was asked to stop.', true), graceMs);
      await taking.stop();
      clearTimeout(giveBack);
      await heartbeats.stop();
    },
  };
}

/** Renews all leases at once, with what the runs have said since. Those that are not renewed are no longer ours. */
async function beat({ moving }: Workshop, held: ReadonlyMap<number, HeldRun>): Promise<void> {
  const leases = [...held.values()].map((one) => ({ ...one, log: one.takeLog() }));
  const kept = await renewLeases(moving.db, leases);
  for (const one of leases) {
    if (!kept.has(one.executionId)) {
      one.stopping.abort(
        new Stopped('The execution was decided or taken over by somebody else.', { givenBack: false }),
      );
    }
  }
}

function stopAll(held: ReadonlyMap<number, HeldRun>, reason: string, givenBack: boolean): void {
  for (const one of held.values()) one.stopping.abort(new Stopped(reason, { givenBack }));
}
