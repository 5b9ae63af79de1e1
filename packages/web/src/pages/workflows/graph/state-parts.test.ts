import { describe, expect, it } from 'vitest';
import { barParts, exceptionsIn, percentText, type Counts } from './state-parts.ts';

const none: Counts = {
  experiments: 0,
  failed: 0,
  timed_out: 0,
  running: 0,
  retrying: 0,
  waiting: 0,
  waiting_overdue: 0,
  decide: 0,
  decide_overdue: 0,
  undecided: 0,
  blocked: 0,
  attention: 0,
};
const shown = (counts: Partial<Counts>) =>
  Object.fromEntries(barParts({ ...none, ...counts }).map(({ kind, number }) => [kind, number]));

describe('barParts', () => {
  it('shows overdue decisions and waits apart from the others', () => {
    expect(shown({ experiments: 16, decide: 16, decide_overdue: 4, attention: 16 })).toEqual({
      overdue: 4,
      decide: 12,
    });
    expect(shown({ experiments: 14, waiting: 14, waiting_overdue: 5, attention: 5 })).toEqual({
      overdue: 5,
      waiting: 9,
    });
  });

  it('has each experiment once, however many incidents it has', () => {
    const counts = { experiments: 10, failed: 3, blocked: 3, running: 5, retrying: 2, waiting: 2, attention: 3 };
    expect(shown(counts)).toEqual({ failed: 3, running: 5, waiting: 2 });
  });
});

describe('exceptionsIn', () => {
  it('has failures first, then overdue experiments, then retries', () => {
    const counts = { ...none, failed: 1, timed_out: 2, decide_overdue: 3, waiting_overdue: 1, retrying: 4 };
    expect(exceptionsIn(counts).map(({ number, word }) => `${number} ${word}`)).toEqual([
      '1 failed',
      '2 timed out',
      '4 overdue',
      '4 retrying',
    ]);
  });
});

describe('percentText', () => {
  it.each([
    [7884, 8406, '93.8%'],
    [1, 10_000, '< 0.1%'],
    [9999, 10_000, '99.9%'],
    [3, 3, '100%'],
    [0, 3, '0%'],
  ])('shows %i of %i as %s', (part, all, text) => {
    expect(percentText(part, all)).toBe(text);
  });
});
