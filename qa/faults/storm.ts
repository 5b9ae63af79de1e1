/**
 * One run: clients move experiments and callbacks run while faults are injected. In the calm phase that follows, all open work
 * must finish. Then the checkers read journals and tables.
 */
import { createProbe } from './kill-around-commit.ts';
import { rejectedRuns } from './busy-worker.ts';
import type { Evidence } from './check/evidence.ts';
import type { Observed, RareCase } from './check/rare-cases.ts';
import { collectEvidence } from './collect.ts';
import { createJournal } from './drive/journal.ts';
import { moveExperiments, moveRequest } from './drive/mover.ts';
import { pull } from './drive/puller.ts';
import { injectFaults, type Load } from './inject-faults.ts';
import { finds } from './testbed/query.ts';
import { startTestbed, type Testbed, type TestbedOptions } from './testbed/testbed.ts';
import { createStudy } from './testbed/study.ts';
import { createRandom } from './random.ts';
import { scheduleOf, type FaultPlan } from './schedule.ts';
import { hangMs, until } from './until.ts';
import { watchLocks } from './watch-locks.ts';

export interface StormPlan extends FaultPlan {
  /** The required number of acknowledged moves. The faults are spread over them. */
  moves: number;
  /** The minimum time over which faults and moves are spread. */
  leastSeconds?: number;
  /** Whether the checkers also check durations. */
  checkDurations: boolean;
  /** The required number of unknown outcomes. */
  unknowns?: number;
  /** Whether pulling workers abandon some executions. Their leases delay the end of the run by half a minute. */
  abandons: boolean;
  /** Whether some executions time out, which takes more than a minute. */
  withTimeouts: boolean;
  testbed?: TestbedOptions;
  /** Rare cases that must occur. */
  requiredCases: readonly RareCase[];
}

export interface StormResult {
  evidence: Evidence;
  observed: Observed;
  /** From the first fault to the last. */
  faultSeconds: number;
  /** Moves acknowledged until the last fault. */
  movesUnderFaults: number;
  /** From the last fault to the last move. */
  afterwardsSeconds: number;
  /** From the last move until all work had finished. */
  calmSeconds: number;
}

const movers = 16;
const ownEach = 20;
const sharedByAll = 3;
/** Callbacks that run during an outage. */
const longRuns = 8;
/** The states whose callbacks time out. */
const timeouts = ['sleep', 'wait', 'sleep', 'wait', 'sleep', 'wait'];
const pullers = 2;
/** Two minutes for the longest callback, one until its timeout must be recorded, one for the sweeps. */
const maxCalmMs = 240_000;

export async function storm(plan: StormPlan, seed: number, folder: string): Promise<StormResult> {
  const testbed = await startTestbed(folder, plan.testbed);
  try {
    return await runStorm(testbed, plan, seed);
  } finally {
    await testbed.stop();
  }
}

async function runStorm(testbed: Testbed, plan: StormPlan, seed: number): Promise<StormResult> {
  const experiments = await createStudy(testbed, movers * ownEach + sharedByAll + timeouts.length + longRuns + 1);
  const locks = watchLocks(testbed.postgres);
  const [calm, end] = [new AbortController(), new AbortController()];
  const noMoreAbandoned = plan.abandons ? calm.signal : AbortSignal.abort();
  const pulling = startPullers(testbed, seed, noMoreAbandoned, end.signal);
  const timingOut = experiments.splice(0, timeouts.length);
  if (plan.withTimeouts) await startTimeouts(testbed, seed, timingOut);
  const [experiment = 0] = experiments.splice(0, 1);
  const long = {
    experiments: experiments.splice(0, longRuns),
    journal: createJournal(testbed, createRandom(seed, 400)),
  };
  const probe = createProbe({ testbed, experiment, seed, onLockWait: locks.add });
  const start = performance.now();
  const load = startLoad(testbed, plan, seed, { experiments, calm: calm.signal });
  await injectFaults({ testbed, load, probe, long }, scheduleOf(plan, seed));
  const [faultsEnd, movesUnderFaults] = [performance.now(), load.acknowledged()];
  await until(`${plan.moves} moves are acknowledged`, () => load.progress() >= 1);
  calm.abort();
  await load.ended;
  const calmStart = performance.now();
  await waitForCalm(testbed, plan);
  const calmEnd = performance.now();
  end.abort();
  await pulling;
  const staleRuns = testbed.workers.reduce((sum, worker) => sum + rejectedRuns(worker), 0);
  const observed = { lockWaits: await locks.stop(), staleRuns };
  const evidence = await collectEvidence(testbed);
  return {
    evidence,
    observed,
    faultSeconds: (faultsEnd - start) / 1000,
    movesUnderFaults,
    afterwardsSeconds: (calmStart - faultsEnd) / 1000,
    calmSeconds: (calmEnd - calmStart) / 1000,
  };
}

function startLoad(
  testbed: Testbed,
  { moves, leastSeconds = 0 }: StormPlan,
  seed: number,
  { experiments, calm }: { experiments: readonly number[]; calm: AbortSignal },
): Load & { ended: Promise<unknown> } {
  const start = performance.now();
  let [acknowledged, unknown] = [0, 0];
  const shared = experiments.slice(-sharedByAll);
  const ended = Array.from({ length: movers }, (_, number) => {
    const random = createRandom(seed, 100 + number);
    return moveExperiments({
      name: `m${number}`,
      own: experiments.slice(number * ownEach, (number + 1) * ownEach),
      shared,
      journal: createJournal(testbed, random, () => unknown++),
      random,
      signal: calm,
      onMoved: () => acknowledged++,
    });
  });
  const seconds = () => (performance.now() - start) / 1000;
  return {
    acknowledged: () => acknowledged,
    unknown: () => unknown,
    progress: () => Math.min(acknowledged / moves, leastSeconds > 0 ? seconds() / leastSeconds : Infinity),
    ended: Promise.all(ended),
  };
}

const startPullers = (testbed: Testbed, seed: number, calm: AbortSignal, signal: AbortSignal) =>
  Promise.all(
    Array.from({ length: pullers }, (_, number) => {
      const random = createRandom(seed, 200 + number);
      const journal = createJournal(testbed, random);
      const { open, postgres } = testbed;
      return pull({ name: `p${number}`, open, postgres, journal, random, calm, signal });
    }),
  );

async function startTimeouts(testbed: Testbed, seed: number, experiments: readonly number[]): Promise<void> {
  const journal = createJournal(testbed, createRandom(seed, 300));
  for (const [index, experiment] of experiments.entries()) {
    const wanted = { token: `t-${index}`, move: { experiment, to: timeouts[index] ?? '' } };
    await journal.retry(wanted, moveRequest(wanted, 'ready'));
  }
}

/** Waits until no work is open. After too long it returns, and the checkers report the open work. */
async function waitForCalm({ postgres }: Testbed, { checkDurations, requiredCases }: StormPlan): Promise<void> {
  const giveUpAt = performance.now() + (checkDurations ? maxCalmMs : hangMs);
  const isSigned = requiredCases.includes('checkpoint signed') ? 'exists (select from checkpoints)' : 'true';
  const isCalm = `select where not exists (select from actions where end_time is null)
    and not exists (select from callback_executions where finished is null) and ${isSigned}`;
  await until('all work finishes', async () => (await finds(postgres, isCalm)) || performance.now() > giveUpAt, 250);
}
