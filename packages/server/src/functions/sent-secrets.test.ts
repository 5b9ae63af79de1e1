import { expect, it } from 'vitest';
import { secretsInCommand, secretsInRequest } from './sent-secrets.ts';

const found = (sent: { url?: string; headers?: Record<string, string>; body?: string }) =>
  secretsInRequest({ url: 'https://x.org/', ...sent });

it('finds a whole secret with any character in a query or a form', () => {
  expect(found({ url: 'https://x.org/?token=abc,def-9876' })).toContain('abc,def-9876');
  expect(found({ body: 'user=ann&password=p%40ss;w0rd,1' })).toContain('p@ss;w0rd,1');
});

it('finds a secret in an element with attributes, and below a secret name', () => {
  expect(found({ body: '<wsse:Password Type="text">s3cr3t-99</wsse:Password>' })).toContain('s3cr3t-99');
  expect(found({ body: '{"credentials": {"user": "ann", "value": "s3cr3t-99"}}' })).toContain('s3cr3t-99');
});

it('finds the value of a header whose name ends like a secret', () => {
  expect(found({ headers: { 'X-Auth': 'k3y-of-the-site' } })).toContain('k3y-of-the-site');
});

it('leaves keys of objects, keys of requests and the next option alone', () => {
  const body = '{"experiment_key": "MC-0041", "sort_key": 2026}';
  expect(found({ body, headers: { 'Idempotency-Key': '7f0d1c1e-91b0-4e0e' } }).filter((one) => one !== '')).toEqual([]);
  expect(secretsInCommand(['--token', '--verbose'])).toEqual([]);
});
