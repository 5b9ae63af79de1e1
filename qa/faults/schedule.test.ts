import { describe, expect, it } from 'vitest';
import { scheduleOf, type Fault, type FaultPlan } from './schedule.ts';

const plan: FaultPlan = { kills: 20, freezes: 1, endedConnections: 12, databaseKills: 2, ends: 5, troubles: 2 };

const countOf = (faults: readonly Fault[], ...kinds: Fault['kind'][]) =>
  faults.filter(({ kind }) => kinds.includes(kind)).length;

it('is the same for the same seed, and another for another', () => {
  expect(scheduleOf(plan, 7)).toEqual(scheduleOf(plan, 7));
  expect(scheduleOf(plan, 7)).not.toEqual(scheduleOf(plan, 8));
});

describe.each([1, 7, 8])('with seed %i', (seed) => {
  const faults = scheduleOf(plan, seed);

  it('has everything that the plan asks for', () => {
    expect(countOf(faults, 'kill server', 'kill worker')).toBe(20);
    expect([countOf(faults, 'freeze worker'), countOf(faults, 'kill database')]).toEqual([1, 2]);
    expect([countOf(faults, 'end server'), countOf(faults, 'end worker')]).toEqual([3, 2]);
    expect(countOf(faults, 'trouble link')).toBe(6);
    expect(faults.flatMap((fault) => (fault.kind === 'end connections' ? fault.picks : []))).toHaveLength(12);
  });

  it('puts its faults in order, the last one before the load ends', () => {
    const shares = faults.map(({ after }) => after);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(1);
  });

  it('kills servers and the database both before and after a commit', () => {
    for (const kind of ['kill server', 'kill database'] as const) {
      const met = faults.flatMap((fault) => (fault.kind === kind ? [fault.moment] : []));
      expect(met).toEqual(expect.arrayContaining(['after commit', 'before commit']));
    }
  });
});
