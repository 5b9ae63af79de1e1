import { describe, expect, it } from 'vitest';
import { checkOutcome, readTransitionChecks } from './transition-checks.ts';

const check = {
  transition_id: 9,
  destination: 'done',
  condition: '',
  test_result: true,
  reason: 'The condition holds.',
};

describe('readTransitionChecks', () => {
  it('parses the return value of an action', () => {
    expect(readTransitionChecks(JSON.stringify([check]))).toEqual([check]);
    expect(readTransitionChecks('[]')).toEqual([]);
  });

  it.each(['', 'No callback for state', '[', '{}', '[1]', '[{"destination":1}]'])(
    'returns undefined for the return value %j',
    (text) => {
      expect(readTransitionChecks(text)).toBeUndefined();
    },
  );
});

describe('checkOutcome', () => {
  it.each([
    ['taken', true],
    ['not met', false],
    ['not evaluated', null],
  ])('returns %j for the result %j', (outcome, test_result) => {
    expect(checkOutcome({ ...check, test_result })).toBe(outcome);
  });
});
