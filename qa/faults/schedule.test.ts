import { describe, expect, it } from 'vitest';
import { scheduleOf, type Fault, type FaultPlan } from './schedule.ts';

const plan: FaultPlan = {
  kills: 20,
  freezes: 1,
  closedConnections: 12,
  databaseKills: 2,
  outages: 4,
  longestOutageSeconds: 50,
  shutdowns: 5,
  linkFaults: 2,
};

const countOf = (faults: readonly Fault[], ...kinds: Fault['kind'][]) =>
  faults.filter(({ kind }) => kinds.includes(kind)).length;

describe('scheduleOf', () => {
  it('returns the same faults for the same seed, and different faults for another seed', () => {
    expect(scheduleOf(plan, 7)).toEqual(scheduleOf(plan, 7));
    expect(scheduleOf(plan, 7)).not.toEqual(scheduleOf(plan, 8));
  });
});

describe.each([1, 7, 8])('the schedule for seed %i', (seed) => {
  const faults = scheduleOf(plan, seed);

  it('contains all faults of the plan', () => {
    expect(countOf(faults, 'kill server', 'kill worker')).toBe(20);
    expect([countOf(faults, 'freeze worker'), countOf(faults, 'kill database')]).toEqual([1, 2]);
    expect([countOf(faults, 'shut down server'), countOf(faults, 'shut down worker')]).toEqual([3, 2]);
    expect(countOf(faults, 'link fault')).toBe(6);
    const lengths = faults.flatMap((fault) => (fault.kind === 'outage' ? [fault.seconds] : []));
    expect(lengths.toSorted((a, b) => a - b)).toEqual([5, 20, 35, 50]);
    expect(faults.flatMap((fault) => (fault.kind === 'close connections' ? fault.picks : []))).toHaveLength(12);
  });

  it('lists the faults in order, all before the end of the load', () => {
    const shares = faults.map(({ after }) => after);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(1);
  });

  it('kills servers and the database both before and after a commit', () => {
    for (const kind of ['kill server', 'kill database'] as const) {
      const moments = faults.flatMap((fault) => (fault.kind === kind ? [fault.moment] : []));
      expect(moments).toEqual(expect.arrayContaining(['after commit', 'before commit']));
    }
  });
});
