/** Which fault comes when. It follows from the plan and the seed alone, and counts moves, not seconds. */
import type { Trouble } from './place/link.ts';
import { createRandom, type Random } from './random.ts';

export interface FaultPlan {
  /** Of servers and workers together. */
  kills: number;
  /** A worker is stopped until another one has taken over what it runs, and is continued. */
  freezes: number;
  /** Connections that the database ends, in bursts. */
  endedConnections: number;
  databaseKills: number;
  /** Servers and workers, in turns, that are asked to end. */
  ends: number;
  /** Rounds of trouble with the link to the database: dead, slow, reset. */
  troubles: number;
}

/** Where a kill hits a request: wherever it happens to be, while it waits for a lock, or between commit and answer. */
export type Moment = 'any' | 'before commit' | 'after commit';

export type Fault = {
  /** After which share of the load, from 0 to below 1. */
  after: number;
} & (
  | { kind: 'kill server'; member: number; moment: Moment }
  | { kind: 'kill worker'; member: number }
  | { kind: 'freeze worker'; member: number }
  | { kind: 'end connections'; picks: number[] }
  | { kind: 'kill database'; moment: Moment }
  | { kind: 'end server'; member: number }
  | { kind: 'end worker'; member: number }
  | { kind: 'trouble link'; how: Trouble }
);

/** Two servers, two workers. */
export const members = 2;
const burst = 5;

export function scheduleOf(plan: FaultPlan, seed: number): Fault[] {
  const random = createRandom(seed);
  const faults = [
    ...freezesOf(plan, random),
    ...killsOf(plan, random),
    ...databaseFaultsOf(plan, random),
    ...endsOf(plan, random),
    ...troublesOf(plan),
  ];
  return faults.toSorted((one, other) => one.after - other.after);
}

/** So many points of the load, each in its own part of it. */
const points = (count: number, random: Random): number[] =>
  Array.from({ length: count }, (_, index) => (index + random.next()) / count);

const moments: readonly Moment[] = ['after commit', 'before commit', 'any', 'any'];
const momentOf = (kill: number): Moment => moments[kill % moments.length] ?? 'any';

const freezesOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.freezes, random).map((after) => ({ after, kind: 'freeze worker', member: random.below(members) }));

/** Servers and workers in turns. */
const killsOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.kills, random).map((after, index) => {
    const member = random.below(members);
    return index % 2 === 0
      ? { after, kind: 'kill server', member, moment: momentOf(index / 2) }
      : { after, kind: 'kill worker', member };
  });

function databaseFaultsOf(plan: FaultPlan, random: Random): Fault[] {
  const bursts = Math.ceil(plan.endedConnections / burst);
  return [
    ...points(bursts, random).map((after, index): Fault => {
      const count = Math.min(burst, plan.endedConnections - index * burst);
      return { after, kind: 'end connections', picks: Array.from({ length: count }, () => random.below(1000)) };
    }),
    ...points(plan.databaseKills, random).map((after, index): Fault => {
      return { after, kind: 'kill database', moment: momentOf(index) };
    }),
  ];
}

const endsOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.ends, random).map((after, index) => ({
    after,
    kind: index % 2 === 0 ? 'end server' : 'end worker',
    member: random.below(members),
  }));

/** Evenly, so that each return can be judged before the next trouble. */
function troublesOf(plan: FaultPlan): Fault[] {
  const kinds: Trouble[] = ['dead', 'slow', 'reset'];
  const all = Array.from({ length: plan.troubles }, () => kinds).flat();
  return all.map((how, index) => ({ after: index / all.length, kind: 'trouble link', how }));
}
