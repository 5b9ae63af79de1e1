/** Helpers for tests that plant an error in a correct run and check which checkers report it. */
import { checkersFor } from './checkers.ts';
import type { Checker } from './evidence.ts';
import { smallRun } from './small-run.ts';

const faults = { databaseKills: 1, linkFaults: 1, outages: 1, shutdowns: 1 };
const checkers = { events: checkersFor(faults), durations: checkersFor({ ...faults, checkDurations: true }) };

export type Run = ReturnType<typeof smallRun>;

/** The names of all checkers that report an error. */
export const failedCheckers = (run: Run, checked: keyof typeof checkers = 'events') =>
  Object.entries<Checker>(checkers[checked])
    .filter(([, check]) => check(run).length > 0)
    .map(([name]) => name);

/** The row with that value. */
export function rowOf<T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]): T {
  const found = rows.find((row) => row[key] === value);
  if (!found) throw new Error(`no row has ${String(key)} ${String(value)}`);
  return found;
}
export const without = <T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]) =>
  rows.filter((row) => row !== rowOf(rows, key, value));

export type Planted = [what: string, plant: (run: Run) => void];
