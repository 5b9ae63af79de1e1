import { describe, expect, it } from 'vitest';
import { allFormats, calendarDay, durationWords, relativeWords, utcWords } from './times.ts';

const now = new Date('2026-11-15T12:00:00Z');

describe('durationWords', () => {
  it.each([
    [-3, '0 s'],
    [40, '40 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [7_800, '2 h 10 min'],
    [7_200, '2 h'],
    [86_400 * 4 + 3_600 * 3 + 59, '4 d 3 h'],
    [86_400 + 120, '1 d'],
  ])('formats %i s as %s', (seconds, words) => {
    expect(durationWords(seconds)).toBe(words);
  });
});

describe('a time', () => {
  it('is shown relative to now, in the past and in the future', () => {
    expect(relativeWords('2026-11-15T09:50:00Z', now)).toBe('2 h 10 min ago');
    expect(relativeWords('2026-11-15T12:00:40Z', now)).toBe('in 40 s');
    expect(relativeWords('2026-11-15T12:00:00.400Z', now)).toBe('now');
  });

  it('has a tooltip with three formats', () => {
    expect(utcWords('2026-11-15T09:50:12.345Z')).toBe('2026-11-15 09:50:12 UTC');
    expect(allFormats('2026-11-15T09:50:00Z', now).split('\n')).toHaveLength(3);
  });
});

describe('calendarDay', () => {
  it('returns the day of a scan date just after and just before midnight', () => {
    expect(calendarDay('2026-11-15T00:10:00')).toBe('2026-11-15');
    expect(calendarDay('2026-11-15T23:50:00')).toBe('2026-11-15');
  });
});
