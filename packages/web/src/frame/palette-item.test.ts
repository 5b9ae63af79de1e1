import { expect, it } from 'vitest';
import { beginsWith } from './palette-item.ts';

it.each([
  ['MC-0041', 'mc-00', true],
  ['MC-0041', 'MC-0041', true],
  ['MC-0041', 'MC-00412', false],
  ['XMC-0041', 'mc', false],
])('returns whether %s begins with %s: %s', (name, text, expected) => {
  expect(beginsWith(text)({ name })).toBe(expected);
});
