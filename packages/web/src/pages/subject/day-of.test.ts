import { describe, expect, it } from 'vitest';
import { dayOf } from './day-of.ts';

describe('dayOf', () => {
  it('returns the local day just after and just before midnight', () => {
    expect(dayOf(new Date(2026, 2, 1, 0, 0, 1))).toBe('2026-03-01');
    expect(dayOf(new Date(2026, 10, 30, 23, 59, 59))).toBe('2026-11-30');
  });
});
