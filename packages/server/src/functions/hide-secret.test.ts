import { describe, expect, it } from 'vitest';
import { mask, maskDeep } from './hide-secret.ts';

describe('mask', () => {
  it.each([
    ['before s3cret after', 'before (hidden) after'],
    ['s3crets3cret', '(hidden)(hidden)'],
    ['s3cre t', 's3cre t'],
    ['', ''],
  ])('turns %j into %j', (text, masked) => {
    expect(mask(text, 's3cret')).toBe(masked);
  });

  it('masks a percent-encoded secret', () => {
    expect(mask('?a=x%2By%2F', 'x+y/')).toBe('?a=(hidden)');
  });

  it('changes nothing if the secret is empty', () => {
    expect(mask('text', '')).toBe('text');
  });
});

describe('maskDeep', () => {
  it('masks strings in lists and objects, and property names', () => {
    const value = { a: ['s3cret', { 'x-s3cret': 'is s3cret' }], b: 1, c: null, d: true };
    expect(maskDeep(value, 's3cret')).toEqual({
      a: ['(hidden)', { 'x-(hidden)': 'is (hidden)' }],
      b: 1,
      c: null,
      d: true,
    });
  });
});
