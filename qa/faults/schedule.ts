/** Which fault comes when: a matter of the plan and the seed alone. */
import type { Trouble } from './place/link.ts';
import { createRandom, type Random } from './random.ts';

export interface FaultPlan {
  /** How long faults come. */
  seconds: number;
  /** Of servers and workers together. */
  kills: number;
  /** A worker is stopped for longer than its leases last, and goes on. */
  freezes: number;
  /** Connections that the database ends, in bursts. */
  endedConnections: number;
  databaseKills: number;
  /** Servers and workers, in turns, that are asked to end. */
  ends: number;
  /** Rounds of trouble with the link to the database: slow, reset, dead. */
  troubles: number;
}

export type Fault = { atMs: number } & (
  | { kind: 'kill server' | 'kill worker'; member: number }
  | { kind: 'freeze worker'; member: number; forMs: number }
  | { kind: 'end connections'; picks: number[] }
  | { kind: 'kill database' }
  | { kind: 'end server' | 'end worker'; member: number }
  | { kind: 'trouble link'; how: Trouble; forMs: number }
);

/** Two servers, two workers. */
export const members = 2;
const shareOfServers = 0.5;
/** The lease lasts 20 s, and is looked at every 5 s. */
const frozenMs = 32_000;
/** A worker that was killed takes some seconds to be back. */
const marginMs = 8000;
const burst = 5;

export function scheduleOf(plan: FaultPlan, seed: number): Fault[] {
  const random = createRandom(seed);
  const freezes = freezesOf(plan, random);
  const faults = [
    ...freezes,
    ...killsOf(plan, random, freezes),
    ...databaseFaultsOf(plan, random),
    ...endsOf(plan, random),
    ...troublesOf(plan),
  ];
  return faults.toSorted((one, other) => one.atMs - other.atMs);
}

/** So many moments, each in its own part of the time. */
function moments(count: number, plan: FaultPlan, random: Random): number[] {
  const part = (plan.seconds * 1000) / count;
  return Array.from({ length: count }, (_, index) => Math.round((index + random.next()) * part));
}

type Freeze = Extract<Fault, { kind: 'freeze worker' }>;

/** The last one goes on before the end. */
const freezesOf = (plan: FaultPlan, random: Random): Freeze[] =>
  moments(plan.freezes, { ...plan, seconds: Math.max(0, plan.seconds - frozenMs / 1000) }, random).map((atMs) => ({
    atMs,
    kind: 'freeze worker',
    member: random.below(members),
    forMs: frozenMs,
  }));

/** While a worker is frozen no worker is killed: one must be there to take over, and the other has something to show then. */
function killsOf(plan: FaultPlan, random: Random, freezes: readonly Freeze[]): Fault[] {
  const isFreezing = (atMs: number) =>
    freezes.some((one) => atMs >= one.atMs - marginMs && atMs < one.atMs + one.forMs + marginMs);
  return moments(plan.kills, plan, random).map((atMs) => {
    const [member, isServer] = [random.below(members), random.chance(shareOfServers)];
    return { atMs, kind: isServer || isFreezing(atMs) ? 'kill server' : 'kill worker', member };
  });
}

function databaseFaultsOf(plan: FaultPlan, random: Random): Fault[] {
  const bursts = Math.ceil(plan.endedConnections / burst);
  return [
    ...moments(bursts, plan, random).map((atMs, index): Fault => {
      const count = Math.min(burst, plan.endedConnections - index * burst);
      return { atMs, kind: 'end connections', picks: Array.from({ length: count }, () => random.below(1000)) };
    }),
    ...moments(plan.databaseKills, plan, random).map((atMs): Fault => ({ atMs, kind: 'kill database' })),
  ];
}

const endsOf = (plan: FaultPlan, random: Random): Fault[] =>
  moments(plan.ends, plan, random).map((atMs, index) => ({
    atMs,
    kind: index % 2 === 0 ? 'end server' : 'end worker',
    member: random.below(members),
  }));

/** Longer than any request may take, and then longer than the return may take. */
const troubledMs = 10_000;

/** One after the other, with time to be well again between them. */
function troublesOf(plan: FaultPlan): Fault[] {
  const kinds: Trouble[] = ['dead', 'slow', 'reset'];
  const part = (plan.seconds * 1000) / (plan.troubles * kinds.length);
  return Array.from({ length: plan.troubles }, () => kinds)
    .flat()
    .map((how, index) => ({ atMs: Math.round(index * part), kind: 'trouble link', how, forMs: troubledMs }));
}
