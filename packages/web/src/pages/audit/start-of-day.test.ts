import { expect, it } from 'vitest';
import { startOfDay } from './start-of-day.ts';

it('is midnight where the reader is', () => {
  const start = new Date(startOfDay('2026-03-29') ?? '');
  expect([start.getFullYear(), start.getMonth(), start.getDate(), start.getHours()]).toEqual([2026, 2, 29, 0]);
});

it('of the last day of a month leads into the next one', () => {
  expect(new Date(startOfDay('2026-02-28', 1) ?? '').getMonth()).toBe(2);
});

it.each([undefined, '', 'yesterday', '2026-3-9', '0001-01-01'])('of %j is nothing', (day) => {
  expect(startOfDay(day)).toBeUndefined();
});
