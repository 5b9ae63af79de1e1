/**
 * Runs many walks, on a few servers side by side: while one waits for its database, another has something to do. The first
 * walk on which server and model disagree ends the run, after it was made as short as it gets.
 */
import fc from 'fast-check';
import { seed as seedOfRun } from '../../packages/server/testing/seed.ts';
import type { Lane } from './drive/lane.ts';
import { walk } from './drive/walk.ts';
import { someWalk } from './generate/steps.ts';

export const seed = Number(process.env['WALKS_SEED'] ?? seedOfRun);

export interface Run {
  count: number;
  seed: number;
  /** Whether a failing walk is made shorter. */
  shrinks: boolean;
}

export interface Outcome {
  walks: number;
  commands: number;
  met: Map<string, number>;
  /** The shortest walk that shows the disagreement, in words. */
  failure: string | undefined;
}

/** Long enough to get a walk down to a few steps. */
const longestShrinkMs = 60_000;

export async function runWalks(lanes: readonly Lane[], run: Run): Promise<Outcome> {
  const outcome: Outcome = { walks: 0, commands: 0, met: new Map(), failure: undefined };
  const stopping = new AbortController();
  const share = Math.ceil(run.count / lanes.length);
  await Promise.all(
    lanes.map((lane, index) => runLane(lane, { ...run, count: share, seed: run.seed + index }, outcome, stopping)),
  );
  return outcome;
}

/** Seeds of neighbouring lanes are neighbours; the numbers that follow from them have nothing in common. */
async function runLane(
  lane: Lane,
  { count, seed: laneSeed, shrinks }: Run,
  outcome: Outcome,
  stopping: AbortController,
): Promise<void> {
  let failedAt: number | undefined;
  const isOver = () =>
    failedAt === undefined ? stopping.signal.aborted : performance.now() - failedAt > longestShrinkMs;
  const property = fc.asyncProperty(someWalk, async (given) => {
    if (isOver()) return;
    if (failedAt === undefined) outcome.walks++;
    try {
      const commands = await walk(lane, given, (what) => outcome.met.set(what, (outcome.met.get(what) ?? 0) + 1));
      outcome.commands += commands;
    } catch (error) {
      failedAt ??= performance.now();
      stopping.abort();
      throw error;
    }
  });
  const { failed, errorInstance } = await fc.check(property, {
    numRuns: count,
    seed: laneSeed,
    endOnFailure: !shrinks,
  });
  if (failed) outcome.failure ??= errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
}
