import { describe, expect, it } from 'vitest';
import { smallRun } from './check/small-run.ts';
import { storms } from './plans.ts';
import { reportOf } from './report.ts';
import type { StormPlan } from './storm.ts';

const result = {
  evidence: smallRun(),
  observed: { lockWaits: 0, staleRuns: 0 },
  faultSeconds: 1,
  movesUnderFaults: 3,
  afterwardsSeconds: 1,
  calmSeconds: 1,
};

/** A plan that the small run fulfils. */
const plan: StormPlan = { ...storms.kills.smoke, kills: 1, moves: 3, requiredCases: ['worker killed'] };

describe('the report', () => {
  it('passes a run with all required cases, faults and moves', () => {
    expect(reportOf(plan, result).verdict).toBe('passed');
  });

  it.each([
    ['required cases', { requiredCases: ['server killed'] }, 'MISSING: server killed'],
    ['faults', { kills: 20 }, 'MISSING: 20 kills (only 1)'],
    ['moves', { moves: 10_000 }, 'MISSING: 10000 acknowledged moves (only 3)'],
  ] satisfies [string, Partial<StormPlan>, string][])(
    'fails a run with too few %s, and says what is missing',
    (_what, more, line) => {
      const { verdict, lines } = reportOf({ ...plan, ...more }, result);
      expect(verdict).toBe('failed');
      expect(lines).toContain(line);
    },
  );
});
