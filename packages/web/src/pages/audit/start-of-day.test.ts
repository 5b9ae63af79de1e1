import { describe, expect, it } from 'vitest';
import { startOfDay } from './start-of-day.ts';

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
