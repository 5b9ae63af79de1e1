import { describe, expect, it } from 'vitest';
import { worstIncident } from './incident-outcome.ts';

describe('worstIncident', () => {
  it.each([
    [undefined, []],
    ['timed_out', ['timed_out']],
    ['failed', ['timed_out', 'failed']],
    ['blocked', ['failed', 'no_way_on']],
  ] as const)('returns %j for the incidents %j', (outcome, kinds) => {
    expect(worstIncident(kinds)).toBe(outcome);
  });
});
