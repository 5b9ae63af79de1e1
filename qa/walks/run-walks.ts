/**
 * Runs many walks on a few servers in parallel, because each often waits for its database. The first walk on which server and
 * model disagree ends the run and is shrunk.
 */
import fc from 'fast-check';
import { seed as seedOfRun } from '../../packages/api/testing/seed.ts';
import { hangLimitMs } from '../../packages/server/testing/hang-limit.ts';
import type { Lane } from './drive/lane.ts';
import { walk } from './drive/walk.ts';
import { someWalk } from './generate/steps.ts';

export const seed = Number(process.env['WALKS_SEED'] ?? seedOfRun);

export interface Run {
  count: number;
  seed: number;
  /** Whether a failing walk is shrunk. */
  shrinks: boolean;
}

export interface Outcome {
  walks: number;
  commands: number;
  cases: Map<string, number>;
  /** The text of the shortest failing walk. */
  failure: string | undefined;
}

/** Long enough to shrink a walk to a few steps. */
const maxShrinkMs = 60_000;

export async function runWalks(lanes: readonly Lane[], run: Run): Promise<Outcome> {
  const outcome: Outcome = { walks: 0, commands: 0, cases: new Map(), failure: undefined };
  const stopping = new AbortController();
  const share = Math.ceil(run.count / lanes.length);
  await Promise.all(
    lanes.map((lane, index) => runLane(lane, { ...run, count: share, seed: run.seed + index }, outcome, stopping)),
  );
  return outcome;
}

/** Consecutive seeds yield unrelated numbers, so each lane uses the next one. */
async function runLane(
  lane: Lane,
  { count: walks, seed: laneSeed, shrinks }: Run,
  outcome: Outcome,
  stopping: AbortController,
): Promise<void> {
  let failedAt: number | undefined;
  const isOver = () => (failedAt === undefined ? stopping.signal.aborted : performance.now() - failedAt > maxShrinkMs);
  const property = fc.asyncProperty(someWalk, async (given) => {
    if (isOver()) return;
    if (failedAt === undefined) outcome.walks++;
    try {
      const count = (what: string) => outcome.cases.set(what, (outcome.cases.get(what) ?? 0) + 1);
      const commands = await orHang(walk(lane, given, count));
      outcome.commands += commands;
    } catch (error) {
      failedAt ??= performance.now();
      stopping.abort();
      throw error;
    }
  });
  const { failed, errorInstance } = await fc.check(property, {
    numRuns: walks,
    seed: laneSeed,
    endOnFailure: !shrinks,
  });
  if (failed) outcome.failure ??= errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
}

/** The limit is that of one walk, so that any number of walks can run on a slow machine. */
async function orHang<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`A walk has not ended after ${hangLimitMs / 1000} s.`)), hangLimitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
