/**
 * One run: people move experiments and callbacks run while the schedule does its faults; then calm, in which everything that
 * was begun must end; then the checkers look at what was written down.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Evidence } from './check/evidence.ts';
import type { Observed, RareCase } from './check/rare-cases.ts';
import { collectEvidence } from './collect.ts';
import { createJournal } from './drive/journal.ts';
import { moveOn, moveRequest } from './drive/mover.ts';
import { pull } from './drive/puller.ts';
import { inflictAll } from './inflict.ts';
import { ask } from './place/ask.ts';
import { openPlace, type Place, type PlaceOptions } from './place/place.ts';
import { createStudy } from './place/study.ts';
import { createRandom } from './random.ts';
import { scheduleOf, type FaultPlan } from './schedule.ts';
import { watchLocks } from './watch-locks.ts';

export interface StormPlan extends FaultPlan {
  /** Acknowledged moves that there must be; the load goes on until there are. */
  moves: number;
  /** Unknown outcomes that there must be. */
  unknowns?: number;
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
  overtimeSeconds: number;
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
/** A load that is so much slower than planned is given up. A small one may meet a machine that has no time for it. */
const mostOvertime = 3;
const leastPatienceMs = 420_000;

export async function storm(plan: StormPlan, seed: number, folder: string): Promise<Stormed> {
  const place = await openPlace(folder, plan.place);
  try {
    return await runStorm(place, plan, seed);
  } finally {
    await place.stop();
  }
}

async function runStorm(place: Place, plan: StormPlan, seed: number): Promise<Stormed> {
  const experiments = await createStudy(place, movers * ownEach + sharedByAll + timeouts.length);
  const locks = watchLocks(place.postgres);
  const [calm, end] = [new AbortController(), new AbortController()];
  const pulling = startPullers(place, seed, calm.signal, end.signal);
  const late = experiments.splice(0, timeouts.length);
  if (plan.withTimeouts) await startTimeouts(place, seed, late);
  const start = performance.now();
  const moving = startMovers(place, seed, experiments, calm.signal);
  await inflictAll(place, scheduleOf(plan, seed));
  const [faultsEnd, movesUnderFaults] = [performance.now(), moving.acknowledged()];
  const isEnough = () => moving.acknowledged() >= plan.moves && performance.now() - start >= plan.seconds * 1000;
  const patienceMs = Math.max(mostOvertime * plan.seconds * 1000, leastPatienceMs);
  while (!isEnough() && performance.now() - start < patienceMs) await sleep(100);
  calm.abort();
  await moving.ended;
  const calmStart = performance.now();
  await waitForCalm(place);
  const calmEnd = performance.now();
  end.abort();
  await pulling;
  const observed = { lockWaits: await locks.stop(), staleRuns: countStaleRuns(place) };
  const evidence = await collectEvidence(place);
  return {
    evidence,
    observed,
    faultSeconds: (faultsEnd - start) / 1000,
    movesUnderFaults,
    overtimeSeconds: (calmStart - faultsEnd) / 1000,
    calmSeconds: (calmEnd - calmStart) / 1000,
  };
}

function startMovers(place: Place, seed: number, experiments: readonly number[], signal: AbortSignal) {
  let acknowledged = 0;
  const shared = experiments.slice(-sharedByAll);
  const ended = Array.from({ length: movers }, (_, number) => {
    const random = createRandom(seed, 100 + number);
    return moveOn({
      name: `m${number}`,
      own: experiments.slice(number * ownEach, (number + 1) * ownEach),
      shared,
      journal: createJournal(place, random),
      random,
      signal,
      onMoved: () => acknowledged++,
    });
  });
  return { acknowledged: () => acknowledged, ended: Promise.all(ended) };
}

const startPullers = (place: Place, seed: number, calm: AbortSignal, signal: AbortSignal) =>
  Promise.all(
    Array.from({ length: pullers }, (_, number) => {
      const random = createRandom(seed, 200 + number);
      const journal = createJournal(place, random);
      return pull({ name: `p${number}`, open: place.open, journal, random, calm, signal });
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
async function waitForCalm({ postgres }: Place): Promise<void> {
  const until = performance.now() + longestCalmMs;
  while (performance.now() < until) {
    const open = await ask(postgres, 'select from actions where end_time is null limit 1');
    const running = await ask(postgres, 'select from callback_executions where finished is null limit 1');
    if (open.length + running.length === 0) return;
    await sleep(250);
  }
}

const countStaleRuns = ({ workers }: Place) =>
  workers.reduce((sum, worker) => sum + worker.output().split('"code":"stale_attempt"').length - 1, 0);
