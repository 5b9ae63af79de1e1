import { describe, expect, it } from 'vitest';
import { beginsWith } from './palette-item.ts';

describe('beginsWith', () => {
  it.each([
    [true, 'mc-00', 'MC-0041'],
    [true, 'MC-0041', 'MC-0041'],
    [false, 'MC-00412', 'MC-0041'],
    [false, 'mc', 'XMC-0041'],
  ])('returns %j for the text %j and the name %j', (expected, text, name) => {
    expect(beginsWith(text)({ name })).toBe(expected);
  });
});
