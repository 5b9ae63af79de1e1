/** Everything that a worker does again and again, in one list. Any number of workers may do each of these at once. */
import type { CheckpointKey } from './chain/checkpoint-key.ts';
import type { Db } from './database/connection.ts';
import { layOutUndrawn } from './engine/definitions/lay-out-workflow.ts';
import { checkTimeouts } from './engine/executions/check-timeouts.ts';
import { createUnclaimedSweep, reconcileLeases } from './engine/executions/reconcile.ts';
import type { Moving } from './engine/settle.ts';
import { writeCheckpoints } from './engine/write-checkpoints.ts';
import { removeOutdated, type KeptDays, type Removed } from './store/retention.ts';
import { foldCounts } from './store/state-counts.ts';
import { queueDelayed } from './store/sweeps.ts';
import type { WorkMetrics } from './work/metrics.ts';
import { sendPasswordResets, type ResetMail } from './work/send-password-resets.ts';

export interface Task {
  name: string;
  everySeconds: number;
  /** The signal says when to come to an end. */
  run: (signal: AbortSignal) => Promise<void>;
}

export interface Caring {
  metrics: WorkMetrics;
  /** Without one no checkpoints are made. */
  key: CheckpointKey | undefined;
  keep: KeptDays;
  onRemoved: (removed: Removed) => void;
  /** Without it nobody gets a new password by mail. */
  resetMail: ResetMail | undefined;
}

export function tasks(moving: Omit<Moving, 'author'>, { metrics, key, keep, onRemoved, resetMail }: Caring): Task[] {
  const as = (operation: string): Moving => ({
    ...moving,
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
    { name: 'foldCounts', everySeconds: 5, run: (signal) => foldCounts(moving.db, signal) },
    { name: 'layOutWorkflows', everySeconds: 60, run: () => layOutUndrawn(moving.db) },
    { name: 'queueDelayed', everySeconds: 5, run: (signal) => queueDelayed(moving.db, signal) },
    {
      // Not once a day: what is due is then a little at a time, and a worker that is restarted each night does its part, too.
      name: 'removeOutdated',
      everySeconds: 3600,
      run: async (signal) => onRemoved(await removeOutdated(moving.db, keep, signal)),
    },
    ...(resetMail
      ? [
          {
            name: 'sendPasswordResets',
            everySeconds: 2,
            run: (signal: AbortSignal) => sendPasswordResets(moving.db, resetMail, signal),
          },
        ]
      : []),
    ...(key ? [{ name: 'writeCheckpoints', everySeconds: 60, run: signing(moving.db, key) }] : []),
    { name: 'sweepUnclaimed', everySeconds: 30, run: () => sweepUnclaimed(as('reconcile')) },
  ];
}

const signing = (db: Db, key: CheckpointKey) => async (signal: AbortSignal) => {
  await writeCheckpoints(db, key, { signal });
};
