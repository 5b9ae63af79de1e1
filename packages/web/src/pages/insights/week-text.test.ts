import { describe, expect, it } from 'vitest';
import { betweenText, dayAfter, monthTicks, weekEndText, weekText, weekTicks } from './week-text.ts';

const weeksFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => dayAfter(first, 7 * index));

describe('names of weeks', () => {
  const weeks = ['2026-12-28', '2027-01-04', '2027-01-11'];

  it('are their Monday, with the year if it is another one', () => {
    expect(weeks.map((_, index) => weekText(weeks, index))).toEqual([
      'Week of 28 Dec 2026',
      'Week of 4 Jan',
      'This week so far',
    ]);
  });

  it('are their end for what was counted then', () => {
    expect([1, 2].map((index) => weekEndText(weeks, index))).toEqual(['End of the week of 4 Jan', 'Now']);
  });
});

describe('weekTicks', () => {
  it('names each week if there is room, and otherwise weeks at the same distance', () => {
    const weeks = weeksFrom('2026-08-31', 12);
    expect(weekTicks(weeks, 12)).toHaveLength(12);
    expect(weekTicks(weeks, 5).map(({ index, text }) => [index, text])).toEqual([
      [0, '31 Aug'],
      [3, '21 Sept'],
      [6, '12 Oct'],
      [9, '2 Nov'],
    ]);
  });

  it('names months if the period is longer than half a year', () => {
    expect(weekTicks(weeksFrom('2024-11-25', 104), 2)[1]).toEqual({ index: 52, text: 'Nov 2025' });
  });
});

describe('monthTicks', () => {
  it('are the first days of months, January with its year', () => {
    expect(monthTicks('2026-11-19', '2027-02-20', 4)).toEqual([
      { date: '2026-12-01', text: 'Dec' },
      { date: '2027-01-01', text: '2027' },
      { date: '2027-02-01', text: 'Feb' },
    ]);
  });

  it('are at most as many as fit', () => {
    expect(monthTicks('2026-11-19', '2029-11-20', 4).length).toBeLessThanOrEqual(4);
    expect(monthTicks('2026-11-19', '2026-11-20', 4)).toEqual([]);
  });
});

it('a range of dates has both years only if they differ', () => {
  expect(betweenText('2027-02-12', '2027-04-03')).toBe('12 Feb and 3 Apr 2027');
  expect(betweenText('2026-12-12', '2027-04-03')).toBe('12 Dec 2026 and 3 Apr 2027');
});
