/** All periodic tasks of a worker in one list. Any number of workers may run each of them at once. */
import type { AutomaticChange, OperationName } from '@milepost/api';
import type { CheckpointKey } from './chain/checkpoint-key.ts';
import type { Db } from './database/connection.ts';
import { layOutUndrawn } from './engine/workflows/lay-out-workflow.ts';
import { countInsights } from './engine/insights/count-insights.ts';
import { checkTimeouts } from './engine/runs/check-timeouts.ts';
import { createUnclaimedSweep, reconcileLeases } from './engine/runs/recover-lost-work.ts';
import { watchQueues } from './engine/runs/watch-queues.ts';
import type { EngineContext } from './engine/experiments/optimistic-lock.ts';
import { runVerification } from './engine/record/run-verification.ts';
import { writeCheckpoints } from './engine/record/write-checkpoints.ts';
import { removeOutdated, type RetentionDays, type Removed } from './store/record/retention.ts';
import { countOverdue } from './store/experiments/overdue-decisions.ts';
import { runBulkOperations } from './engine/bulk/run-bulk-operations.ts';
import { runImports } from './engine/spreadsheets/run-imports.ts';
import { stopIdleWork } from './engine/stop-idle-work.ts';
import { checkExternalSystems } from './engine/study/check-external-systems.ts';
import type { Outgoing } from './outgoing/create-outgoing.ts';
import { markResting } from './store/experiments/resting.ts';
import { foldCounts } from './store/experiments/state-counts.ts';
import { countOpenIncidents } from './store/runs/incidents.ts';
import { countRetries, queueDelayed } from './store/runs/sweeps.ts';
import type { WorkMetrics } from './work/metrics.ts';
import { sendPasswordResets, type ResetMail } from './work/send-password-resets.ts';

export interface Task {
  name: string;
  everySeconds: number;
  /** The signal aborts when the worker stops. */
  run: (signal: AbortSignal) => Promise<void>;
}

export interface TaskOptions {
  metrics: WorkMetrics;
  /** Without a key, no checkpoints are written. */
  key: CheckpointKey | undefined;
  keep: RetentionDays;
  onRemoved: (removed: Removed) => void;
  /** The most lines of a spreadsheet that are imported in a second. */
  linesPerSecond: number;
  /** Without it, no password reset links are sent. */
  resetMail: ResetMail | undefined;
  /** For the checks of external systems. */
  outgoing: Outgoing;
}

export type TaskEngine = Omit<EngineContext, 'author'>;

export function tasks(
  engine: TaskEngine,
  { metrics, key, keep, onRemoved, linesPerSecond, resetMail, outgoing }: TaskOptions,
): Task[] {
  const as = (operation: AutomaticChange | OperationName): EngineContext => ({
    ...engine,
    author: { kind: 'engine', id: null, requestId: null, operation },
  });
  const sweepUnclaimed = createUnclaimedSweep();
  return [
    {
      name: 'checkTimeouts',
      everySeconds: 15,
      run: async (signal) => {
        const { run_timeouts, wait_timeouts } = await checkTimeouts(as('checkTimeouts'), signal);
        metrics.timedOut(run_timeouts + wait_timeouts);
      },
    },
    {
      name: 'reconcileLeases',
      everySeconds: 5,
      run: async (signal) => metrics.lost(await reconcileLeases(as('reconcile'), signal)),
    },
    ...countingTasks(engine.db, metrics),
    { name: 'foldCounts', everySeconds: 5, run: (signal) => foldCounts(engine.db, signal) },
    { name: 'countInsights', everySeconds: 5, run: (signal) => countInsights(engine.db, signal, metrics.events) },
    { name: 'layOutWorkflows', everySeconds: 60, run: () => layOutUndrawn(engine.db) },
    { name: 'markResting', everySeconds: 600, run: (signal) => markResting(engine.db, {}, signal) },
    { name: 'queueDelayed', everySeconds: 5, run: (signal) => queueDelayed(engine.db, signal) },
    {
      // Hourly rather than daily: each run removes little, and a worker that restarts every night still runs it.
      name: 'removeOutdated',
      everySeconds: 3600,
      run: async (signal) => onRemoved(await removeOutdated(engine.db, keep, signal)),
    },
    ...(resetMail
      ? [
          {
            name: 'sendPasswordResets',
            everySeconds: 2,
            run: (signal: AbortSignal) => sendPasswordResets(engine.db, resetMail, signal),
          },
        ]
      : []),
    ...(key ? [{ name: 'writeCheckpoints', everySeconds: 60, run: signing(engine.db, key) }] : []),
    { name: 'verifyHistory', everySeconds: 3, run: verifying(engine.db, key) },
    { name: 'sweepUnclaimed', everySeconds: 30, run: () => sweepUnclaimed(as('reconcile')) },
    { name: 'watchQueues', everySeconds: 30, run: () => watchQueues(engine) },
    // Often, because a new or changed URL is due at once.
    { name: 'checkExternalSystems', everySeconds: 5, run: checking({ db: engine.db, outgoing }) },
    { name: 'stopIdleWork', everySeconds: 60, run: (signal) => stopIdleWork(engine.db, signal) },
    { name: 'runBulkOperations', everySeconds: 1, run: (signal) => runBulkOperations(engine, signal) },
    { name: 'runImports', everySeconds: 1, run: (signal) => runImports({ ...engine, linesPerSecond }, signal) },
  ];
}

/** What is counted in the database for the metrics. */
const countingTasks = (db: Db, metrics: WorkMetrics): Task[] => [
  { name: 'countIncidents', everySeconds: 15, run: async () => metrics.incidents(await countOpenIncidents(db)) },
  { name: 'countOverdue', everySeconds: 60, run: async () => metrics.overdue(await countOverdue(db)) },
  { name: 'countRetries', everySeconds: 15, run: async () => metrics.retries(await countRetries(db)) },
];

const signing = (db: Db, key: CheckpointKey) => async (signal: AbortSignal) => {
  await writeCheckpoints(db, key, { signal });
};

const verifying = (db: Db, key: CheckpointKey | undefined) => async (signal: AbortSignal) => {
  await runVerification(db, key, signal);
};

const checking = (context: { db: Db; outgoing: Outgoing }) => async (signal: AbortSignal) => {
  await checkExternalSystems(context, signal);
};
