import { expect, it } from 'vitest';
import { dayIn, morningOf } from './snooze-days.ts';

it('counts days across the end of a month and a change of the clock', () => {
  const today = new Date(2026, 9, 24, 23, 59);
  expect([1, 3, 8].map((days) => dayIn(today, days))).toEqual(['2026-10-25', '2026-10-27', '2026-11-01']);
});

it('wakes at 08:00 of the day, in the time zone of the user', () => {
  expect(new Date(morningOf('2026-10-25')).getHours()).toBe(8);
});
