import { describe, expect, it } from 'vitest';
import { returnTo } from './sign-in-methods.tsx';

describe('returnTo', () => {
  it.each([
    ['%2F', '/', ''],
    ['%2Fexperiments%3Fstate%3D3%26label%3Da%2520b', '/experiments', '?state=3&label=a%20b'],
  ])('returns %s for the page %s%s', (parameter, pathname, search) => {
    expect(returnTo({ pathname, search })).toBe(parameter);
  });

  it('returns the start page for the sign-in page', () => {
    expect(returnTo({ pathname: '/sign-in', search: '?problem=busy' })).toBe('%2F');
  });

  it('returns the start page for a page whose URL is too long', () => {
    expect(returnTo({ pathname: '/experiments', search: `?label=${'x'.repeat(1000)}` })).toBe('%2F');
  });
});
