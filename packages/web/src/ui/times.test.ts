import { describe, expect, it } from 'vitest';
import {
  allFormats,
  calendarDay,
  dueText,
  durationText,
  exactText,
  localDay,
  pastText,
  preciseDurationText,
  relativeText,
  startOfDay,
  utcText,
} from './times.ts';

const now = new Date('2026-11-15T12:00:00Z');

describe('durationText', () => {
  it.each([
    [-3, '< 1 s'],
    [0.9, '< 1 s'],
    [40, '40 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [7_800, '2 h 10 min'],
    [7_200, '2 h'],
    [86_400 * 4 + 3_600 * 3 + 59, '4 d 3 h'],
    [86_400 + 120, '1 d'],
  ])('formats %i s as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('dueText', () => {
  it.each([
    ['2026-11-15T20:00:00Z', 'in 8 h'],
    ['2026-11-15T12:00:00Z', '< 1 s overdue'],
    ['2026-11-14T10:00:00Z', '1 d 2 h overdue'],
  ])('formats a due time of %s as %s', (at, text) => {
    expect(dueText(at, now)).toBe(text);
  });
});

describe('preciseDurationText', () => {
  it.each([
    [0, '< 1 s'],
    [0.41, '< 1 s'],
    [2.44, '2.4 s'],
    [42.9, '42 s'],
    [60, '1 min'],
    [125, '2 min 5 s'],
    [3_725, '1 h 2 min'],
  ])('formats %d s as %s', (seconds, text) => {
    expect(preciseDurationText(seconds)).toBe(text);
  });
});

describe('a time', () => {
  it('is shown relative to now, in the past and in the future', () => {
    expect(relativeText('2026-11-15T09:50:00Z', now)).toBe('2 h 10 min ago');
    expect(relativeText('2026-11-15T12:00:40Z', now)).toBe('in 40 s');
    expect(relativeText('2026-11-15T12:00:00.400Z', now)).toBe('now');
  });

  it('of the past is never in the future, although the clock of the page lags behind', () => {
    expect(pastText('2026-11-15T12:00:07Z', now)).toBe('now');
    expect(pastText('2026-11-15T09:50:00Z', now)).toBe('2 h 10 min ago');
  });

  it('can be shown with seconds', () => {
    expect(exactText('2026-11-15T12:00:09Z')).toMatch(/^15 Nov,? \d\d:00:09$/);
  });

  it('has a tooltip with three formats', () => {
    expect(utcText('2026-11-15T09:50:12.345Z')).toBe('15 Nov 2026, 09:50:12 UTC');
    expect(allFormats('2026-11-15T09:50:00Z', now).split('\n')).toHaveLength(3);
  });
});

describe('calendarDay', () => {
  it('returns the day of a scan date just after and just before midnight', () => {
    expect(calendarDay('2026-11-15T00:10:00')).toBe('2026-11-15');
    expect(calendarDay('2026-11-15T23:50:00')).toBe('2026-11-15');
  });
});

describe('localDay', () => {
  it('returns the local day just after and just before midnight', () => {
    expect(localDay(new Date(2026, 2, 1, 0, 0, 1))).toBe('2026-03-01');
    expect(localDay(new Date(2026, 10, 30, 23, 59, 59))).toBe('2026-11-30');
  });
});

describe('startOfDay', () => {
  it('returns midnight in the time zone of the browser', () => {
    const start = new Date(startOfDay('2026-03-29') ?? '');
    expect([start.getFullYear(), start.getMonth(), start.getDate(), start.getHours()]).toEqual([2026, 2, 29, 0]);
  });

  it('adds a day across the end of a month', () => {
    expect(new Date(startOfDay('2026-02-28', 1) ?? '').getMonth()).toBe(2);
  });

  it.each([undefined, '', 'yesterday', '2026-3-9', '0001-01-01'])('returns undefined for %j', (day) => {
    expect(startOfDay(day)).toBeUndefined();
  });
});
