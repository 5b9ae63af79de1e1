import { describe, expect, it } from 'vitest';
import { executionText, elapsedText } from './execution-text.ts';

const start = '2026-11-14T07:31:00.000Z';

describe('elapsedText', () => {
  it.each([
    ['< 1 s', '2026-11-14T07:31:00.400Z'],
    ['2.4 s', '2026-11-14T07:31:02.400Z'],
    ['10.0 s', '2026-11-14T07:31:09.960Z'],
    ['42 s', '2026-11-14T07:31:42.900Z'],
    ['2 min 5 s', '2026-11-14T07:33:05.400Z'],
    ['18 min', '2026-11-14T07:49:20.000Z'],
    // The clock was set back.
    ['< 1 s', '2026-11-14T07:30:00.000Z'],
  ])(`returns %j for a run from ${start} to %s`, (words, end) => {
    expect(elapsedText(start, end)).toBe(words);
  });
});

describe('executionText', () => {
  it('includes the attempt number only from the second attempt', () => {
    const finished = '2026-11-14T07:31:00.400Z';
    expect(executionText({ attempt: 1, run_start: start, finished, worker: 'hpc-07' })).toBe('< 1 s · hpc-07');
    expect(executionText({ attempt: 5, run_start: start, finished, worker: '' })).toBe('attempt 5 · < 1 s');
  });

  it('returns an empty text before the first attempt', () => {
    expect(executionText({ attempt: 0, run_start: null, finished: null, worker: '' })).toBe('');
  });
});
