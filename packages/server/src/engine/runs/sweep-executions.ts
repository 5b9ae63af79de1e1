/**
 * Handles a list of executions, several at a time. After the first execution whose workflow an import has locked, the others of
 * that workflow are left for the next round. An error of one execution does not affect the others.
 */
import type { FoundExecution } from '../../store/runs/sweeps.ts';
import { orFailure, type EngineContext } from '../experiments/optimistic-lock.ts';

export interface Sweep<F extends FoundExecution> {
  /** Without executions of locked workflows. */
  list: (lockedWorkflows: readonly number[], limit: number) => Promise<F[]>;
  /** Returns whether it changed something. */
  handle: (found: F) => Promise<boolean>;
  signal: AbortSignal | undefined;
}

const batchSize = 200;
const concurrency = 8;

export async function sweepExecutions<F extends FoundExecution>(
  context: EngineContext,
  { list, handle, signal }: Sweep<F>,
): Promise<void> {
  const locked = new Set<number>();
  const isRunning = () => signal?.aborted !== true;
  while (isRunning()) {
    const found = await list([...locked], batchSize);
    const before = locked.size;
    const done = await inBatches(shuffled(found), concurrency, async (one) => {
      if (locked.has(one.workflow_id) || !isRunning()) return false;
      const changed = await orFailure(context, handle(one));
      if (changed === 'busy') locked.add(one.workflow_id);
      return changed === true;
    });
    // If nothing changed and no further workflow is locked, another process is handling them.
    if (found.length < batchSize || (!done.includes(true) && locked.size === before)) return;
  }
}

/** Workers that sweep at the same time get the same list, so each takes it in a different order. */
const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ one }) => one);

async function inBatches<T, R>(all: readonly T[], size: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += size) {
    results.push(...(await Promise.all(all.slice(from, from + size).map(work))));
  }
  return results;
}
