import { describe, expect, it } from 'vitest';
import { executionWords, tookWords } from './execution-words.ts';

const start = '2026-11-14T07:31:00.000Z';

describe('how long a run took', () => {
  it.each([
    ['2026-11-14T07:31:00.400Z', '0.4 s'],
    ['2026-11-14T07:31:09.960Z', '10.0 s'],
    ['2026-11-14T07:31:42.900Z', '42 s'],
    ['2026-11-14T07:49:20.000Z', '18 min'],
    // A clock that was set back.
    ['2026-11-14T07:30:00.000Z', '0.0 s'],
  ])('until %s is %s', (end, words) => {
    expect(tookWords(start, end)).toBe(words);
  });
});

describe('what is said of an execution', () => {
  it('has the attempt only where it is not the first', () => {
    const finished = '2026-11-14T07:31:00.400Z';
    expect(executionWords({ attempt: 1, run_start: start, finished, worker: 'hpc-07' })).toBe('0.4 s · hpc-07');
    expect(executionWords({ attempt: 5, run_start: start, finished, worker: '' })).toBe('attempt 5 · 0.4 s');
  });

  it('is nothing before it ran', () => {
    expect(executionWords({ attempt: 0, run_start: null, finished: null, worker: '' })).toBe('');
  });
});
