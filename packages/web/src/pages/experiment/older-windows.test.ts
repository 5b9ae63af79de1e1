import { describe, expect, it } from 'vitest';
import { beforeOf, windowBefore, windowsBelow } from './older-windows.ts';

describe('the windows below the newest page', () => {
  it('are none until somebody asks', () => {
    expect(windowsBelow(100, undefined)).toEqual([]);
  });

  it('reach from where it ends down to the lowest that is wanted', () => {
    expect(windowsBelow(101, 1)).toEqual([2, 1]);
    expect(windowsBelow(102, 2)).toEqual([3, 2]);
    expect(windowsBelow(15, 1)).toEqual([1]);
  });

  it('leave nothing out, however far the newest page has moved on', () => {
    for (let last = 2; last < 400; last++) {
      const top = beforeOf(windowsBelow(last, 1)[0] ?? 0) - 1;
      expect(top).toBeGreaterThanOrEqual(last - 1);
    }
  });

  it('are asked for one by one', () => {
    expect(windowBefore(101)).toBe(2);
    expect(windowBefore(51)).toBe(1);
    expect(windowBefore(2)).toBe(1);
  });
});
