/**
 * Runs callbacks in a worker: takes jobs, runs their attempts and renews their leases. On shutdown, it returns the runs that do
 * not end in time to the queue.
 */
import type { Logger } from 'pino';
import { createRunEnds } from '../engine/runs/end-runs.ts';
import { startAttempts, type RunningAttempt } from '../engine/runs/start-attempts.ts';
import type { FairQueue } from '../jobs/fair-queue.ts';
import { callbackQueue } from '../jobs/queue-names.ts';
import type { Db } from '../database/connection.ts';
import type { TakenJob } from '../jobs/take-fairly.ts';
import type { Tracing } from '../tracing/span.ts';
import type { WorkMetrics } from './metrics.ts';
import { sendHeartbeats } from './heartbeats.ts';
import { runAttempt, Stopped, trackRun, type ActiveRun, type RunContext } from './run-attempt.ts';
import { takeJobs } from './take-jobs.ts';

export interface CallbackWork {
  context: Omit<RunContext, 'endRun'>;
  /** The database through connections that no other work uses. */
  heartbeatDb: Db;
  queue: FairQueue;
  slots: number;
  /** The limit for each host, over all workers. */
  retriesPerSecond: number;
  /** The worker's name, recorded with each attempt. */
  worker: string;
  log: Logger;
  metrics: WorkMetrics;
  /** Undefined if traces are off. */
  tracing?: Tracing | undefined;
}

/** Time for runs to end. The rest of the ten seconds is for stopping programs and returning runs. */
const graceMs = 3000;

export function runCallbacks(work: CallbackWork) {
  const { context, heartbeatDb, queue, slots, retriesPerSecond, worker, log, metrics, tracing } = work;
  // Not keyed by execution: after a long pause, two attempts of one execution may run here at the same time.
  const active = new Set<ActiveRun>();
  const stopping = { at: Infinity };
  const onError = (error: unknown) => log.error({ err: error }, 'worker error');
  const running = { ...context, endRun: createRunEnds(context.engine) };

  const runOne = async (started: RunningAttempt) => {
    const run = trackRun(started);
    active.add(run);
    if (performance.now() > stopping.at) stop(run);
    try {
      const ended = await runAttempt(running, started, run, onError);
      metrics.ended(ended);
      if (ended === 'stale') {
        const { executionId, attempt } = run;
        log.warn({ code: 'stale_attempt', execution_id: executionId, attempt }, 'result of a stale attempt rejected');
      }
    } finally {
      active.delete(run);
    }
  };
  const taking = takeJobs<TakenJob, RunningAttempt>({
    slots,
    take: (most) => queue.take(callbackQueue, most, { slots, occupied: [...active] }),
    start: (jobs) => {
      const traces = new Map(
        jobs.map(({ executionId, traceparent }) => [executionId, tracing?.contextOf(traceparent)] as const),
      );
      return startAttempts(context.engine, [...traces.keys()], worker, retriesPerSecond, traces);
    },
    run: runOne,
    onError,
  });
  const heartbeats = sendHeartbeats(heartbeatDb, active, (error) =>
    log.error({ err: error }, 'heartbeat failed, will be retried'),
  );
  return {
    wake: taking.wake,
    running: taking.running,
    stop: async () => {
      stopping.at = performance.now() + graceMs;
      const returning = setTimeout(() => active.forEach(stop), graceMs);
      await taking.stop();
      clearTimeout(returning);
      await heartbeats.stop();
    },
  };
}

const stop = (run: ActiveRun): void => run.stopping.abort(new Stopped('The worker was shut down.', { returned: true }));
