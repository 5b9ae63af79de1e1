/** A rule of bulk operations: it plans the changes of a set of experiments and writes them with few statements. */
import type { OperationName } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import type { Refused } from '../../store/bulk/bulk-items.ts';
import type { BulkChange } from '../../store/bulk/bulk-operations.ts';
import type { EngineContext, PlannedChange, Snapshot, SnapshotChange } from '../experiments/optimistic-lock.ts';

/** Each set is one transaction. */
export type BulkContext = EngineContext & { db: Tx };

export interface BulkRequest {
  id: number;
  change: BulkChange;
  reason: string;
  /** Only checks, so nothing is written for a plan. */
  isDryRun: boolean;
}

/** `wait`: the experiment or its workflow is being changed, so it is planned again later. */
export type Plan = { change: SnapshotChange } | { refused: Refused } | 'wait';

export interface BulkRule {
  /** The operation for one experiment, which the history names. */
  operation: OperationName;
  /** Whether it can be done to an experiment that has changed since the check. */
  ignoresChanges?: true;
  plan: (context: BulkContext, snapshots: readonly Snapshot[], request: BulkRequest) => Promise<Map<number, Plan>>;
  /** Returns the ids of those that were written. The others have changed or are locked. */
  write: (
    context: BulkContext,
    planned: readonly PlannedChange[],
    request: BulkRequest,
  ) => Promise<ReadonlySet<number>>;
}
