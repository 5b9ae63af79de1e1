import { describe, expect, it } from 'vitest';
import { cappedCount } from './numbers.ts';

describe('cappedCount', () => {
  it.each([
    [0, '0'],
    [9_999, '9,999'],
    [10_000, '10,000+'],
    [23_000, '10,000+'],
  ])('formats %i as %s', (value, text) => {
    expect(cappedCount(value)).toBe(text);
  });
});
