import { expect, it } from 'vitest';
import { smallRun } from './check/small-run.ts';
import { storms } from './plans.ts';
import { reportOf } from './report.ts';
import type { StormPlan } from './storm.ts';

const stormed = {
  evidence: smallRun(),
  observed: { lockWaits: 0, staleRuns: 0 },
  faultSeconds: 1,
  movesUnderFaults: 3,
  afterwardsSeconds: 1,
  calmSeconds: 1,
};

/** What the small run has met. */
const plan: StormPlan = { ...storms.kills.smoke, kills: 1, moves: 3, mustMeet: ['a worker is killed'] };

it('passes a run that met what it was made for', () => {
  expect(reportOf(plan, stormed).verdict).toBe('passed');
});

it.each([
  ['a rare case', { mustMeet: ['a server is killed'] }, 'MISSED a server is killed'],
  ['faults', { kills: 20 }, 'MISSED 20 kills: there were 1'],
  ['moves', { moves: 10_000 }, 'MISSED 10000 acknowledged moves: there were 3'],
] satisfies [string, Partial<StormPlan>, string][])('fails a run that missed %s, and says so', (_what, more, line) => {
  const { verdict, lines } = reportOf({ ...plan, ...more }, stormed);
  expect(verdict).toBe('failed');
  expect(lines).toContain(line);
});
