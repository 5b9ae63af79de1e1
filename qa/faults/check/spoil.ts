/** For tests that spoil a run which went well, and look which checkers see it. */
import { checkersFor } from './checkers.ts';
import type { Checker } from './evidence.ts';
import { smallRun } from './small-run.ts';

const faults = { databaseKills: 1, troubles: 1, ends: 1 };
const checkers = { events: checkersFor(faults), seconds: checkersFor({ ...faults, inSeconds: true }) };

export type Run = ReturnType<typeof smallRun>;

/** The first letters of all checkers that found something. */
export const red = (run: Run, judging: keyof typeof checkers = 'events') =>
  Object.entries<Checker>(checkers[judging])
    .filter(([, check]) => check(run).length > 0)
    .map(([name]) => name.slice(0, 3));

/** The row with that value, to be spoilt. */
export function rowOf<T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]): T {
  const found = rows.find((row) => row[key] === value);
  if (!found) throw new Error(`no row has ${String(key)} ${String(value)}`);
  return found;
}
export const without = <T extends object, K extends keyof T>(rows: readonly T[], key: K, value: T[K]) =>
  rows.filter((row) => row !== rowOf(rows, key, value));

export type Planted = [what: string, plant: (run: Run) => void];
