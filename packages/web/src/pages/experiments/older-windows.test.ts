import { describe, expect, it } from 'vitest';
import { beforeOf, windowBefore, windowsBelow } from './older-windows.ts';

describe('windowsBelow', () => {
  it('returns no windows until older actions are requested', () => {
    expect(windowsBelow(100, undefined)).toEqual([]);
  });

  it('returns the windows from the end of the newest page down to the lowest requested window', () => {
    expect(windowsBelow(101, 1)).toEqual([2, 1]);
    expect(windowsBelow(102, 2)).toEqual([3, 2]);
    expect(windowsBelow(15, 1)).toEqual([1]);
  });

  it('leaves no gap below the newest page, wherever that page ends', () => {
    for (let last = 2; last < 400; last++) {
      const top = beforeOf(windowsBelow(last, 1)[0] ?? 0) - 1;
      expect(top).toBeGreaterThanOrEqual(last - 1);
    }
  });
});

describe('windowBefore', () => {
  it('returns the window of the next older action', () => {
    expect(windowBefore(101)).toBe(2);
    expect(windowBefore(51)).toBe(1);
    expect(windowBefore(2)).toBe(1);
  });
});
