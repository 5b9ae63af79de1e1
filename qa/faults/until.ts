/** Waits for an event. It has no bound of its own: run.ts ends a run that hangs, and prints what it was waiting for. */
import { setTimeout as sleep } from 'node:timers/promises';

/** For waits that end by an error: far longer than anything takes, also on a slow machine. */
export const hangMs = 900_000;

const waiting = new Set<{ event: string }>();

export const awaitedEvents = (): string[] => [...new Set([...waiting].map(({ event }) => event))];

export async function until(event: string, holds: () => boolean | Promise<boolean>, everyMs = 50): Promise<void> {
  const wait = { event };
  waiting.add(wait);
  try {
    while (!(await holds())) await sleep(everyMs);
  } finally {
    waiting.delete(wait);
  }
}
