import { describe, expect, it } from 'vitest';
import { readTrials, trialWord } from './trials.ts';

const trial = {
  transition_id: 9,
  destination: 'done',
  condition: '',
  test_result: true,
  reason: 'The condition holds.',
};

describe('what was tried', () => {
  it('is read from what the action returned', () => {
    expect(readTrials(JSON.stringify([trial]))).toEqual([trial]);
    expect(readTrials('[]')).toEqual([]);
  });

  it.each(['', 'No callback for state', '[', '{}', '[1]', '[{"destination":1}]'])('is not read from %j', (text) => {
    expect(readTrials(text)).toBeUndefined();
  });

  it.each([
    [true, 'taken'],
    [false, 'did not hold'],
    [null, 'not tried'],
  ])('with the result %j is said to be %s', (test_result, word) => {
    expect(trialWord({ ...trial, test_result })).toBe(word);
  });
});
