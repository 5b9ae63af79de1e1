import { setTimeout as sleep } from 'node:timers/promises';
import { hangMs } from '../faults/until.ts';

/** Polls until it holds. The bound only catches a hang: the caller then sees that it does not hold. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + hangMs;
  while (performance.now() < giveUpAt && !(await holds())) await sleep(50);
}
