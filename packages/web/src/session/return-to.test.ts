import { expect, it } from 'vitest';
import { returnTo } from './return-to.ts';

it.each([
  ['/', '', '%2F'],
  ['/experiments', '?state=3&label=a%20b', '%2Fexperiments%3Fstate%3D3%26label%3Da%2520b'],
  ['/sign-in', '?problem=busy', '%2F'],
  ['/experiments', `?label=${'x'.repeat(1000)}`, '%2F'],
])('returns for %s%s: %s', (pathname, search, parameter) => {
  expect(returnTo({ pathname, search })).toBe(parameter);
});
