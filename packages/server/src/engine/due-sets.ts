/**
 * Long work of users in sets, such as bulk operations and imports. A row says how far the work is and when its next set is due. Each set is
 * one transaction with the lock of that row, so any number of workers can continue, and there is no job that could expire.
 */
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Tx } from '../database/connection.ts';
import { isTooSlow, problemFromDatabase } from '../database/problem-from-database.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Postponement } from '../store/due-sets.ts';

/** Why work stops before its end. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** Others have locked what the set changes, so it is tried again later. The message says who. */
export class Postponed extends Error {
  override name = 'Postponed';
}

/** Follows the name of what failed, for users who cannot read the log. */
export const unexpectedly =
  'failed with an unexpected error. Try again. If it fails again, ask an operator to read the log of the worker.';
export const authorGone = 'The account of the author was deactivated, or the API token expired or was revoked.';

const shortestPause = 250;
/** Until a set that could not be changed is tried again. */
export const pauseSeconds = 5;
/** So many failed attempts in a row take an hour or more. Others rarely lock the same rows for so long. */
export const maxTries = 720;
/** A statement that takes too long can be slow for a few minutes only, for example during a backup. */
export const maxSlowTries = 10;
export const workflowImported = 'The workflow is being imported.';
const failing = 'The last attempt failed with an unexpected error. An operator can find it in the log of the worker.';
const slow = 'The database responds too slowly.';
export const beingChanged = 'Other requests are changing the same subjects or experiments.';

type Wake = (queues: readonly string[]) => void;

interface Context {
  db: Db;
  wake: Wake;
}

/** Work of which nothing could be done so many times in a row for this reason. */
interface Tried {
  tries: number;
  waiting_for: string | null;
}

export function stopIfTriedTooOften({ tries, waiting_for: why }: Tried): void {
  if (tries >= maxTries) throw new Stopped(`Stopped after ${maxTries} failed attempts. ${why}`);
}

export interface DueWork<Row extends { id: number }> {
  lockDue: (tx: Tx) => Promise<Row | undefined>;
  secondsUntilDue: (db: Db) => Promise<number | undefined>;
  postpone: (db: Db, id: number, by: Postponement) => Promise<unknown>;
  /** `wake` notifies the workers of these queues after the commit, so that they find the jobs. */
  runSet: (tx: Tx, row: Row, wake: Wake) => Promise<void>;
}

/** Returns if nothing is due within a second. */
export async function runDueSets<Row extends { id: number }>(
  context: Context,
  work: DueWork<Row>,
  signal?: AbortSignal,
): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  for (let seconds = 0; seconds <= 1 && !isStopped();) {
    if (await runNextSet(context, work)) continue;
    seconds = (await work.secondsUntilDue(context.db)) ?? Infinity;
    // Work that another worker has locked is due, too.
    if (seconds <= 1)
      await pause(Math.max(shortestPause, 1000 * seconds), undefined, signal && { signal }).catch(() => undefined);
  }
}

/** Returns whether something was due. */
export async function runNextSet<Row extends { id: number }>(
  { db, wake }: Context,
  { lockDue, runSet, postpone }: DueWork<Row>,
): Promise<boolean> {
  const queues = new Set<string>();
  let id = 0;
  const found = await inTransaction(db, async (tx) => {
    const row = await lockDue(tx);
    id = row?.id ?? 0;
    if (row) await runSet(tx, row, (woken) => woken.forEach((queue) => queues.add(queue)));
    return row !== undefined;
  }).catch(async (error: unknown) => {
    if (id > 0) await postpone(db, id, { afterSeconds: pauseSeconds, waitingFor: reasonOf(error) });
    if (error instanceof Postponed) return true;
    throw error;
  });
  if (queues.size > 0) wake([...queues]);
  return found;
}

/** Undefined after an outage of the database, which can be long and is not caused by the work. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Postponed) return error.message;
  return problemFromDatabase(error)?.code === 'database_unavailable' ? undefined : failing;
}

/** `slow`: a statement took too long. */
type Outcome = 'done' | 'failed' | 'slow';

/** Throws after a temporary error, so that the whole set is tried again. */
export async function inSavepoint(
  { db, onError }: { db: Tx; onError: (error: unknown) => void },
  work: () => Promise<void>,
): Promise<Outcome> {
  await sql`savepoint before_set`.execute(db);
  try {
    await work();
    return 'done';
  } catch (error) {
    const { code } = problemFromDatabase(error) ?? {};
    const isSlow = isTooSlow(error);
    if (error instanceof Postponed || code === 'database_unavailable') throw error;
    if (code === 'busy' && !isSlow) throw new Postponed(beingChanged, { cause: error });
    await sql`rollback to savepoint before_set`.execute(db);
    if (error instanceof Stopped) throw error;
    onError(error);
    return isSlow ? 'slow' : 'failed';
  }
}

/** If a set cannot be written, half of it is tried, and so on. Returns false if its first element cannot be written alone. */
export async function inHalves(
  size: number,
  tried: Tried,
  attempt: (limit: number) => Promise<Outcome>,
): Promise<boolean> {
  let outcome: Outcome = 'failed';
  for (let limit = size; limit >= 1 && outcome !== 'done'; limit = Math.floor(limit / 2))
    outcome = await attempt(limit);
  return isDone(outcome, tried);
}

/** What is slow is tried again later, but not forever. */
export function isDone(outcome: Outcome, { tries, waiting_for: why }: Tried): boolean {
  if (outcome === 'slow' && (why !== slow || tries < maxSlowTries)) throw new Postponed(slow);
  return outcome === 'done';
}

interface SetOfWork {
  /** `performance.now()` before it. */
  started: number;
  changed: number;
  /** The most changes in a second. */
  rate: number;
  /** The average of the sets before. */
  perMinute: number | null;
}

/** How fast the work is, averaged over the latest sets, and when its next set is due. */
export function paceAfter({ started, changed, rate, perMinute }: SetOfWork) {
  const [spent, shortest] = [(performance.now() - started) / 1000, changed / rate];
  const now = (60 * changed) / Math.max(shortest, spent);
  return {
    per_minute: perMinute === null ? Math.round(now) : average(perMinute, now),
    afterSeconds: Math.max(0, shortest - spent),
  };
}

/** At least one step, because the average would stay next to the new value otherwise. */
function average(before: number, now: number): number {
  const step = 0.3 * (Math.round(now) - before);
  return before + (step > 0 ? Math.ceil(step) : Math.floor(step));
}
