import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again. One that does not come in time is told by whoever looks at what came of it. */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 30_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end && !(await holds())) await sleep(50);
}
