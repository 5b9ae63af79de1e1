import { describe, expect, it } from 'vitest';
import { onlyAddresses } from './forwarded-for.ts';

describe('X-Forwarded-For', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['203.0.113.9:1, 192.0.2.7:2,10.0.0.5', '203.0.113.9, 192.0.2.7, 10.0.0.5'],
    ['unknown', ''],
    ['_hidden:4711', ''],
    ['192.0.2.7:port', ''],
    ['[192.0.2.7', ''],
    ['', ''],
    ['203.0.113.9, unknown, 10.0.0.5', '10.0.0.5'],
    ['203.0.113.9, unknown', ''],
  ])('with the value %j is reduced to %j', (forwarded, addresses) => {
    expect(onlyAddresses(forwarded)).toBe(addresses);
  });
});
