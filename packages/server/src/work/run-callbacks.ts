/**
 * What a worker does with the queue of callbacks: takes jobs, runs their attempts, keeps their leases, and when it has to
 * stop gives back what does not end by itself in time.
 */
import type { Logger } from 'pino';
import { startAttempts, type RunningAttempt } from '../engine/executions/start-attempts.ts';
import type { Queue } from '../jobs/open-queue.ts';
import { callbackQueue } from '../jobs/queue-names.ts';
import { leaseName, renewLeases } from '../store/attempts.ts';
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

/** Less than a third of the lease: two may be lost on the way. */
const heartbeatMs = 6000;
/** What is about to end may end; the rest of the ten seconds is for stopping programs and giving back. */
const graceMs = 3000;

export function runCallbacks({ workshop, queue, places, worker, log, metrics }: CallbackWork) {
  // Not by their execution: after a long pause two attempts of one may run here at the same time.
  const held = new Set<HeldRun>();
  const stopping = { at: Infinity };
  const onError = (error: unknown) => log.error({ err: error }, 'the worker met an error');

  const run = async (started: RunningAttempt) => {
    const one = holdRun(started);
    held.add(one);
    if (performance.now() > stopping.at) stop(one);
    try {
      const ended = await runAttempt(workshop, started, one, onError);
      metrics.ended(ended);
      if (ended === 'stale') {
        const { executionId, attempt } = one;
        log.warn(
          { code: 'stale_attempt', execution_id: executionId, attempt },
          'the outcome of a lost attempt was refused',
        );
      }
    } finally {
      held.delete(one);
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
      stopping.at = performance.now() + graceMs;
      const giveBack = setTimeout(() => held.forEach(stop), graceMs);
      await taking.stop();
      clearTimeout(giveBack);
      await heartbeats.stop();
    },
  };
}

/**
 * Renews all leases at once, with what the runs have said since. Those that are not renewed are no longer ours. What could
 * not be sent is said the next time.
 */
async function beat({ moving }: Workshop, held: ReadonlySet<HeldRun>): Promise<void> {
  const beating = [...held].map((one) => ({ one, log: one.takeLog() }));
  const leases = beating.map(({ one: { executionId, attempt }, log }) => ({ executionId, attempt, log }));
  const kept = await renewLeases(moving.db, leases).catch((error: unknown) => {
    for (const { one, log } of beating) one.putLogBack(log);
    throw error;
  });
  for (const { one } of beating) {
    if (!kept.has(leaseName(one))) {
      one.stopping.abort(
        new Stopped('The execution was decided or taken over by somebody else.', { givenBack: false }),
      );
    }
  }
}

const stop = (one: HeldRun): void =>
  one.stopping.abort(new Stopped('The worker was asked to stop.', { givenBack: true }));
