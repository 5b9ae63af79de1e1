/** The schedule of the faults. It depends only on the plan and the seed, and counts moves, not seconds. */
import type { LinkFault } from '../../packages/server/testing/counterparts/database-link.ts';
import { createRandom, type Random } from './random.ts';

export interface FaultPlan {
  /** Kills of servers and workers. */
  kills: number;
  /** Workers that are frozen until another worker has taken over their runs, and then continued. */
  freezes: number;
  /** Connections that the database closes, in bursts. */
  closedConnections: number;
  databaseKills: number;
  /** Times without the database, in which callbacks run. */
  outages: number;
  /** The shortest outage lasts 5 s. */
  longestOutageSeconds: number;
  /** Graceful shutdowns, alternating between servers and workers. */
  shutdowns: number;
  /** Rounds of database link faults: dead, slow, reset. */
  linkFaults: number;
}

/** When a kill hits a request: at any time, while it waits for a lock, or between commit and response. */
export type Moment = 'any' | 'before commit' | 'after commit';

export type Fault = {
  /** The share of the load after which the fault occurs, from 0 to below 1. */
  after: number;
} & (
  | { kind: 'kill server'; member: number; moment: Moment }
  | { kind: 'kill worker'; member: number }
  | { kind: 'freeze worker'; member: number }
  | { kind: 'close connections'; picks: number[] }
  | { kind: 'kill database'; moment: Moment }
  | { kind: 'outage'; how: 'stopped' | 'unreachable'; seconds: number }
  | { kind: 'shut down server'; member: number }
  | { kind: 'shut down worker'; member: number }
  | { kind: 'link fault'; how: LinkFault }
);

/** The number of servers, and of workers. */
export const members = 2;
const burst = 5;

export function scheduleOf(plan: FaultPlan, seed: number): Fault[] {
  const random = createRandom(seed);
  const faults = [
    ...freezesOf(plan, random),
    ...killsOf(plan, random),
    ...databaseFaultsOf(plan, random),
    ...outagesOf(plan, random),
    ...shutdownsOf(plan, random),
    ...linkFaultsOf(plan),
  ];
  return faults.toSorted((one, other) => one.after - other.after);
}

/** Points in the load, one in each of `count` equal parts. */
const points = (count: number, random: Random): number[] =>
  Array.from({ length: count }, (_, index) => (index + random.next()) / count);

const moments: readonly Moment[] = ['after commit', 'before commit', 'any', 'any'];
const momentOf = (kill: number): Moment => moments[kill % moments.length] ?? 'any';

const freezesOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.freezes, random).map((after) => ({ after, kind: 'freeze worker', member: random.below(members) }));

/** Alternates between servers and workers. */
const killsOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.kills, random).map((after, index) => {
    const member = random.below(members);
    return index % 2 === 0
      ? { after, kind: 'kill server', member, moment: momentOf(index / 2) }
      : { after, kind: 'kill worker', member };
  });

function databaseFaultsOf(plan: FaultPlan, random: Random): Fault[] {
  const bursts = Math.ceil(plan.closedConnections / burst);
  return [
    ...points(bursts, random).map((after, index): Fault => {
      const count = Math.min(burst, plan.closedConnections - index * burst);
      return { after, kind: 'close connections', picks: Array.from({ length: count }, () => random.below(1000)) };
    }),
    ...points(plan.databaseKills, random).map((after, index): Fault => {
      return { after, kind: 'kill database', moment: momentOf(index) };
    }),
  ];
}

const shortestOutageSeconds = 5;

/** From the shortest to the longest, and in random order. */
function outagesOf({ outages, longestOutageSeconds }: FaultPlan, random: Random): Fault[] {
  const step = (longestOutageSeconds - shortestOutageSeconds) / Math.max(1, outages - 1);
  const lengths = Array.from({ length: outages }, (_, index) => Math.round(shortestOutageSeconds + index * step));
  return points(outages, random).map((after, index): Fault => {
    const [seconds = 0] = lengths.splice(random.below(lengths.length), 1);
    return { after, kind: 'outage', how: index % 2 === 0 ? 'stopped' : 'unreachable', seconds };
  });
}

const shutdownsOf = (plan: FaultPlan, random: Random): Fault[] =>
  points(plan.shutdowns, random).map((after, index) => ({
    after,
    kind: index % 2 === 0 ? 'shut down server' : 'shut down worker',
    member: random.below(members),
  }));

/** Evenly spaced, so that each recovery can be evaluated before the next fault. */
function linkFaultsOf(plan: FaultPlan): Fault[] {
  const kinds: LinkFault[] = ['dead', 'slow', 'reset'];
  const all = Array.from({ length: plan.linkFaults }, () => kinds).flat();
  return all.map((how, index) => ({ after: index / all.length, kind: 'link fault', how }));
}
