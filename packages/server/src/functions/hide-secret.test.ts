import { describe, expect, it } from 'vitest';
import { mask, maskDeep } from './hide-secret.ts';

describe('mask', () => {
  it.each([
    ['before s3cret-1 after', 'before (hidden) after'],
    ['s3cret-1s3cret-1', '(hidden)(hidden)'],
    ['s3cret -1', 's3cret -1'],
    ['', ''],
  ])('turns %j into %j', (text, masked) => {
    expect(mask(text, 's3cret-1')).toBe(masked);
  });

  it.each([
    ['percent-encoded', '?a=x%2By%2F%22%20z1'],
    ['percent-encoded in lower case', '?a=x%2by%2f%22%20z1'],
    ['in a form', '?a=x%2By%2F%22+z1'],
    ['in JSON', '?a=x+y/\\" z1'],
    ['in base64', '?a=eCt5LyIgejE'],
  ])('masks a secret %s', (_how, text) => {
    expect(mask(text, 'x+y/" z1')).toBe('?a=(hidden)');
  });

  it('changes nothing if the secret is empty', () => {
    expect(mask('text', '')).toBe('text');
  });
});

describe('maskDeep', () => {
  it('masks strings in lists and objects, and property names', () => {
    const value = { a: ['s3cret-1', { 'x-s3cret-1': 'is s3cret-1' }], b: 1, c: null, d: true };
    expect(maskDeep(value, 's3cret-1')).toEqual({
      a: ['(hidden)', { 'x-(hidden)': 'is (hidden)' }],
      b: 1,
      c: null,
      d: true,
    });
  });
});
