import { longestTokenDays } from '@milepost/api';
import { expect, it } from 'vitest';
import { endAfter, expiries, usualExpiry } from './expiry.ts';

it('is so many days later', () => {
  expect(endAfter('7', new Date('2026-03-27T08:00:00Z'))).toBe('2026-04-03T08:00:00.000Z');
});

it('never is longer than the server takes, and the usual one is among them', () => {
  expect(Math.max(...expiries.map(({ value }) => Number(value)))).toBeLessThanOrEqual(longestTokenDays);
  expect(expiries.map(({ value }) => value)).toContain(usualExpiry);
});
