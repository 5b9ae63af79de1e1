/** Waits for an event, without a limit. If a run hangs, run.ts stops it and prints the events it was waiting for. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The limit of waits that fail with an error. It is far longer than needed, even on a slow machine. */
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
