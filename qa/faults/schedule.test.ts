import { expect, it } from 'vitest';
import { scheduleOf, type FaultPlan } from './schedule.ts';

const plan: FaultPlan = {
  seconds: 100,
  kills: 20,
  freezes: 1,
  endedConnections: 12,
  databaseKills: 2,
  ends: 5,
  troubles: 2,
};

const countOf = (kind: string, seed: number) =>
  scheduleOf(plan, seed).filter((fault) => fault.kind.startsWith(kind)).length;

it('is the same for the same seed, and another for another', () => {
  expect(scheduleOf(plan, 7)).toEqual(scheduleOf(plan, 7));
  expect(scheduleOf(plan, 7)).not.toEqual(scheduleOf(plan, 8));
});

it('has everything that the plan asks for, in order and in time', () => {
  const faults = scheduleOf(plan, 7);
  expect(['kill server', 'kill worker'].map((kind) => countOf(kind, 7)).reduce((sum, count) => sum + count)).toBe(20);
  expect([countOf('freeze', 7), countOf('kill database', 7)]).toEqual([1, 2]);
  expect([countOf('end server', 7), countOf('end worker', 7), countOf('trouble link', 7)]).toEqual([3, 2, 6]);
  const picked = faults.flatMap((fault) => (fault.kind === 'end connections' ? fault.picks : []));
  expect(picked).toHaveLength(12);
  expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect(faults.at(-1)?.atMs).toBeLessThan(100_000);
});

it('kills no worker while one is frozen', () => {
  for (let seed = 0; seed < 200; seed++) {
    const faults = scheduleOf(plan, seed);
    const freeze = faults.find((fault) => fault.kind === 'freeze worker');
    const [from, until] = [freeze?.atMs ?? 0, (freeze?.atMs ?? 0) + (freeze?.forMs ?? 0)];
    const killed = faults.filter(({ kind, atMs }) => kind === 'kill worker' && atMs > from && atMs < until);
    expect(killed, `seed ${seed}`).toEqual([]);
  }
});
