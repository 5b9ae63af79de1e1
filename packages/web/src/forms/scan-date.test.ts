import { describe, expect, it } from 'vitest';
import { partsOf, scanDateOf, scanDateText } from './scan-date.ts';

describe('scanDateText', () => {
  it.each([
    [null, ''],
    ['2026-02-17T00:00:00', '2026-02-17'],
    ['2026-02-17T10:30:00', '2026-02-17T10:30'],
    ['2026-02-17T10:30:07.123456', '2026-02-17T10:30:07'],
  ])('shows %j as %j', (stored, text) => {
    expect(scanDateText(stored)).toBe(text);
  });

  it.each(['', '2026-02-17', '2026-02-17T10:30', '2026-02-17T10:30:07'])('keeps %j when it is edited', (text) => {
    expect(scanDateOf(partsOf(text))).toBe(text);
  });
});

it('has no time without a day', () => {
  expect(scanDateOf({ day: '', time: '10:30' })).toBe('');
});
