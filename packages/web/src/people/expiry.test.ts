import { maxTokenDays } from '@milepost/api';
import { expect, it } from 'vitest';
import { defaultExpiry, expiries, expiryAfter } from './expiry.ts';

it('adds the days to the current time', () => {
  expect(expiryAfter('7', new Date('2026-03-27T08:00:00Z'))).toBe('2026-04-03T08:00:00.000Z');
});

it('offers only periods that the server accepts, including the default', () => {
  expect(Math.max(...expiries.map(({ value }) => Number(value)))).toBeLessThanOrEqual(maxTokenDays);
  expect(expiries.map(({ value }) => value)).toContain(defaultExpiry);
});
