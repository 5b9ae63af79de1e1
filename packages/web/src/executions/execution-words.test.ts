import { describe, expect, it } from 'vitest';
import { executionWords, elapsedWords } from './execution-words.ts';

const start = '2026-11-14T07:31:00.000Z';

describe('elapsedWords', () => {
  it.each([
    ['2026-11-14T07:31:00.400Z', '0.4 s'],
    ['2026-11-14T07:31:09.960Z', '10.0 s'],
    ['2026-11-14T07:31:42.900Z', '42 s'],
    ['2026-11-14T07:49:20.000Z', '18 min'],
    // The clock was set back.
    ['2026-11-14T07:30:00.000Z', '0.0 s'],
  ])('returns for an end at %s: %s', (end, words) => {
    expect(elapsedWords(start, end)).toBe(words);
  });
});

describe('executionWords', () => {
  it('contains the attempt only if it is not the first', () => {
    const finished = '2026-11-14T07:31:00.400Z';
    expect(executionWords({ attempt: 1, run_start: start, finished, worker: 'hpc-07' })).toBe('0.4 s · hpc-07');
    expect(executionWords({ attempt: 5, run_start: start, finished, worker: '' })).toBe('attempt 5 · 0.4 s');
  });

  it('is empty before the first attempt', () => {
    expect(executionWords({ attempt: 0, run_start: null, finished: null, worker: '' })).toBe('');
  });
});
