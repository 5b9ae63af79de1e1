/**
 * One run: clients move experiments and callbacks run while the schedule inflicts its faults; then calm, in which everything
 * that was begun must end; then the checkers read what was written down.
 */
import { createProbe } from './at-a-commit.ts';
import { refusedRuns } from './busy-worker.ts';
import type { Evidence } from './check/evidence.ts';
import type { Observed, RareCase } from './check/rare-cases.ts';
import { collectEvidence } from './collect.ts';
import { createJournal } from './drive/journal.ts';
import { moveOn, moveRequest } from './drive/mover.ts';
import { pull } from './drive/puller.ts';
import { inflictAll, type Load } from './inflict.ts';
import { finds } from './place/ask.ts';
import { openPlace, type Place, type PlaceOptions } from './place/place.ts';
import { createStudy } from './place/study.ts';
import { createRandom } from './random.ts';
import { scheduleOf, type FaultPlan } from './schedule.ts';
import { hangMs, until } from './until.ts';
import { watchLocks } from './watch-locks.ts';

export interface StormPlan extends FaultPlan {
  /** Acknowledged moves that there must be. The faults are spread over them. */
  moves: number;
  /** Spreads faults and moves over at least so much time. */
  leastSeconds?: number;
  /** Whether the checkers also judge how long things took. */
  inSeconds: boolean;
  /** Unknown outcomes that there must be. */
  unknowns?: number;
  /** Whether programs that pull executions forget some of them. The leases of the last ones make the end half a minute later. */
  forgets: boolean;
  /** Whether some executions run into their timeouts, which takes more than a minute. */
  withTimeouts: boolean;
  /** What the place is to be beside the usual. */
  place?: PlaceOptions;
  /** Rare cases that must be met. */
  mustMeet: readonly RareCase[];
}

export interface Stormed {
  evidence: Evidence;
  observed: Observed;
  /** From the first fault to the last. */
  faultSeconds: number;
  /** Moves that were acknowledged by then. */
  movesUnderFaults: number;
  /** From there to the last move. */
  afterwardsSeconds: number;
  /** From the last move until everything had ended. */
  calmSeconds: number;
}

const movers = 16;
const ownEach = 20;
const sharedByAll = 3;
/** Each of these runs into its timeout. */
const timeouts = ['sleep', 'wait', 'sleep', 'wait', 'sleep', 'wait'];
const pullers = 2;
/** Two minutes for the longest callback, one for promise 4, one for the sweeps. */
const longestCalmMs = 240_000;

export async function storm(plan: StormPlan, seed: number, folder: string): Promise<Stormed> {
  const place = await openPlace(folder, plan.place);
  try {
    return await runStorm(place, plan, seed);
  } finally {
    await place.stop();
  }
}

async function runStorm(place: Place, plan: StormPlan, seed: number): Promise<Stormed> {
  const experiments = await createStudy(place, movers * ownEach + sharedByAll + timeouts.length + 1);
  const locks = watchLocks(place.postgres);
  const [calm, end] = [new AbortController(), new AbortController()];
  const forgetting = plan.forgets ? calm.signal : AbortSignal.abort();
  const pulling = startPullers(place, seed, forgetting, end.signal);
  const late = experiments.splice(0, timeouts.length);
  if (plan.withTimeouts) await startTimeouts(place, seed, late);
  const [experiment = 0] = experiments.splice(0, 1);
  const probe = createProbe({ place, experiment, seed, onLockWait: locks.add });
  const start = performance.now();
  const load = startLoad(place, plan, seed, { experiments, calm: calm.signal });
  await inflictAll({ place, load, probe }, scheduleOf(plan, seed));
  const [faultsEnd, movesUnderFaults] = [performance.now(), load.acknowledged()];
  await until(`${plan.moves} acknowledged moves`, () => load.progress() >= 1);
  calm.abort();
  await load.ended;
  const calmStart = performance.now();
  await waitForCalm(place, plan);
  const calmEnd = performance.now();
  end.abort();
  await pulling;
  const staleRuns = place.workers.reduce((sum, worker) => sum + refusedRuns(worker), 0);
  const observed = { lockWaits: await locks.stop(), staleRuns };
  const evidence = await collectEvidence(place);
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
  place: Place,
  { moves, leastSeconds = 0 }: StormPlan,
  seed: number,
  { experiments, calm }: { experiments: readonly number[]; calm: AbortSignal },
): Load & { ended: Promise<unknown> } {
  const start = performance.now();
  let [acknowledged, unknown] = [0, 0];
  const shared = experiments.slice(-sharedByAll);
  const ended = Array.from({ length: movers }, (_, number) => {
    const random = createRandom(seed, 100 + number);
    return moveOn({
      name: `m${number}`,
      own: experiments.slice(number * ownEach, (number + 1) * ownEach),
      shared,
      journal: createJournal(place, random, () => unknown++),
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

const startPullers = (place: Place, seed: number, calm: AbortSignal, signal: AbortSignal) =>
  Promise.all(
    Array.from({ length: pullers }, (_, number) => {
      const random = createRandom(seed, 200 + number);
      const journal = createJournal(place, random);
      const { open, postgres } = place;
      return pull({ name: `p${number}`, open, postgres, journal, random, calm, signal });
    }),
  );

async function startTimeouts(place: Place, seed: number, experiments: readonly number[]): Promise<void> {
  const journal = createJournal(place, createRandom(seed, 300));
  for (const [index, experiment] of experiments.entries()) {
    const wanted = { token: `t-${index}`, move: { experiment, to: timeouts[index] ?? '' } };
    await journal.insist(wanted, moveRequest(wanted, 'ready'));
  }
}

/** Until nothing is open, or too long: the checkers see what is left. */
async function waitForCalm({ postgres }: Place, { inSeconds, mustMeet }: StormPlan): Promise<void> {
  const giveUpAt = performance.now() + (inSeconds ? longestCalmMs : hangMs);
  const isSigned = mustMeet.includes('a checkpoint is signed') ? 'exists (select from checkpoints)' : 'true';
  const isCalm = `select where not exists (select from actions where end_time is null)
    and not exists (select from callback_executions where finished is null) and ${isSigned}`;
  await until('everything ends', async () => (await finds(postgres, isCalm)) || performance.now() > giveUpAt, 250);
}
