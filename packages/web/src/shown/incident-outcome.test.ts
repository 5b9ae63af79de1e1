import { expect, it } from 'vitest';
import { worstIncident } from './incident-outcome.ts';

it.each([
  [[], undefined],
  [['timed_out'], 'timed_out'],
  [['timed_out', 'failed'], 'failed'],
  [['failed', 'no_way_on'], 'blocked'],
] as const)('returns the worst of %j: %s', (kinds, outcome) => {
  expect(worstIncident(kinds)).toBe(outcome);
});
