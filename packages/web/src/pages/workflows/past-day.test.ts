import { describe, expect, it } from 'vitest';
import { elsewhere, firstDay, isBetween, pastDay, pastStateCounts } from './past-day.ts';

const today = '2026-11-19';
const state = (id: number) => ({ id, label: `s${id}`, uri: `/api/v2/states/${id}` });
const row = (week: string, entered: number, experiments: number) => ({ week, entered, experiments });

describe('pastDay', () => {
  it('is the day of the URL', () => expect(pastDay('2026-10-01', today)).toBe('2026-10-01'));

  it.each([undefined, '', today, '2026-12-01', '2026-02-30', '2026-13-01', '2026-1-1', 'yesterday'])(
    'ignores %s, which is not a past day',
    (text) => expect(pastDay(text, today)).toBeUndefined(),
  );
});

describe('firstDay', () => {
  it('is the day before the first week with experiments', () => {
    const flow = [row('2026-10-26', 0, 0), row('2026-11-02', 2, 0), row('2026-11-09', 0, 2)];
    expect(firstDay(flow, today)).toBe('2026-11-01');
  });

  it('is at most 365 days ago', () => expect(firstDay([row('2025-11-17', 0, 3)], today)).toBe('2025-11-19'));

  it('does not exist without experiments', () => expect(firstDay([row('2026-11-16', 0, 0)], today)).toBeUndefined());
});

describe('isBetween', () => {
  it.each([
    ['2026-11-01', true],
    [today, true],
    ['2026-10-31', false],
    ['2026-11-20', false],
    ['0002-11-05', false],
    ['', false],
  ])('of %s is %s', (day, expected) => expect(isBetween(day, '2026-11-01', today)).toBe(expected));
});

describe('past counts', () => {
  const past = { states: [1, 2].map((id) => ({ state: state(id), experiments: id })) };

  it('have experiments, and nothing that is not counted for past days', () => {
    const { state: shown, experiments, ...rest } = pastStateCounts(past)[1] ?? { state: state(0), experiments: 0 };
    expect([shown.id, experiments]).toEqual([2, 2]);
    expect(new Set(Object.values(rest))).toEqual(new Set([0]));
  });

  it('name the experiments in states that are not in the graph', () => {
    expect(elsewhere(past, [state(1)])).toBe(2);
    expect(elsewhere(past, [state(1), state(2)])).toBe(0);
  });
});
