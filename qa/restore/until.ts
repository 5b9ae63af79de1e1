import { setTimeout as sleep } from 'node:timers/promises';
import { hangMs } from '../faults/until.ts';

/** Polls until the condition is true. After the limit, which only catches hangs, it returns and the caller's check fails. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + hangMs;
  while (performance.now() < giveUpAt && !(await holds())) await sleep(50);
}
