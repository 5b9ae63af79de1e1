import { maxTokenDays } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { defaultExpiry, expiries, expiryAfter } from './token-expiry.ts';

describe('expiryAfter', () => {
  it('adds the days to the current time', () => {
    expect(expiryAfter('7', new Date('2026-03-27T08:00:00Z'))).toBe('2026-04-03T08:00:00.000Z');
  });
});

describe('the expiry periods', () => {
  it('include the default and are all accepted by the server', () => {
    expect(Math.max(...expiries.map(({ value }) => Number(value)))).toBeLessThanOrEqual(maxTokenDays);
    expect(expiries.map(({ value }) => value)).toContain(defaultExpiry);
  });
});
