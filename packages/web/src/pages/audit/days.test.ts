import { describe, expect, it } from 'vitest';
import { hiddenText, shownText } from './day-counts.ts';
import { byDay, dayTitle } from './days.ts';

const at = (day: number, hour: number) => ({ at: new Date(2026, 10, day, hour).toISOString() });
const exactly = (count: number) => ({ count, is_exact: true });
const least = (count: number) => ({ count, is_exact: false });

describe('the days of the audit log', () => {
  it('group entries by the local day, newest first', () => {
    const days = byDay([at(16, 10), at(16, 0), at(15, 23)]);
    expect(days.map(({ day, entries }) => [day, entries.length])).toEqual([
      ['2026-11-16', 2],
      ['2026-11-15', 1],
    ]);
  });

  it('are called today and yesterday', () => {
    const now = new Date(2026, 10, 16, 12);
    expect(dayTitle('2026-11-16', now)).toEqual({ title: 'Today', date: 'Monday 16 November' });
    expect(dayTitle('2026-11-15', now)).toEqual({ title: 'Yesterday', date: 'Sunday 15 November' });
    expect(dayTitle('2026-11-14', now)).toEqual({ title: 'Saturday 14 November', date: undefined });
    expect(dayTitle('2025-11-14', now)).toEqual({ title: 'Friday 14 November 2025', date: undefined });
  });
});

describe('the counts of a day', () => {
  it('say how many entries of programs are hidden', () => {
    expect(shownText({ entries: exactly(8) }, true)).toBe('8 entries by people.');
    expect(shownText({ entries: exactly(1) }, false)).toBe('1 entry.');
    expect(hiddenText({ hidden: exactly(384) })).toBe('384 by service accounts and workflows are hidden.');
    expect(hiddenText({ hidden: exactly(1) })).toBe('1 by service accounts and workflows is hidden.');
    expect(hiddenText({ hidden: exactly(0) })).toBeUndefined();
  });

  it('say that they are incomplete', () => {
    expect(hiddenText({ hidden: least(1000) })).toBe('More than 1,000 by service accounts and workflows are hidden.');
    expect(shownText({ entries: least(52) }, true)).toBe('At least 52 entries by people.');
    expect(shownText({ entries: least(0) }, true)).toBeUndefined();
    expect(hiddenText({ hidden: least(0) })).toBe('Entries by service accounts and workflows are hidden.');
  });
});
