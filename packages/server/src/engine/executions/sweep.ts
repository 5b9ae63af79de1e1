/**
 * Goes through executions that need something done, some side by side. What an import holds costs two seconds to find out:
 * the first of a workflow tells, and the others are left for the next round.
 */
import type { Found } from '../../store/sweeps.ts';
import { unlessBusy } from '../settle.ts';

export interface Sweep {
  /** Those of held workflows are not among them. */
  list: (heldWorkflows: readonly number[], most: number) => Promise<Found[]>;
  /** Answers whether it did something. */
  settle: (executionId: number) => Promise<boolean>;
  signal: AbortSignal | undefined;
}

const mostAtOnce = 200;
const sideBySide = 8;

export async function sweepExecutions({ list, settle, signal }: Sweep): Promise<void> {
  const held = new Set<number>();
  const mayGoOn = () => signal?.aborted !== true;
  while (mayGoOn()) {
    const found = await list([...held], mostAtOnce);
    const before = held.size;
    const done = await inParts(shuffled(found), sideBySide, async ({ id, workflow_id }) => {
      if (held.has(workflow_id) || !mayGoOn()) return false;
      const settled = await unlessBusy(settle(id));
      if (settled === undefined) held.add(workflow_id);
      return settled === true;
    });
    // Where nothing moved and nothing new is held, somebody else is at it.
    if (found.length < mostAtOnce || (!done.includes(true) && held.size === before)) return;
  }
}

/** Several workers that look at the same moment find the same ones, and should not take them in the same order. */
const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);

async function inParts<T, R>(all: readonly T[], size: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += size) {
    results.push(...(await Promise.all(all.slice(from, from + size).map(work))));
  }
  return results;
}
