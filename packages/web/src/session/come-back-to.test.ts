import { expect, it } from 'vitest';
import { comeBackTo } from './come-back-to.ts';

it.each([
  ['/', '', '%2F'],
  ['/experiments', '?state=3&label=a%20b', '%2Fexperiments%3Fstate%3D3%26label%3Da%2520b'],
  ['/sign-in', '?problem=busy', '%2F'],
  ['/experiments', `?label=${'x'.repeat(1000)}`, '%2F'],
])('leads from %s%s to %s', (pathname, search, parameter) => {
  expect(comeBackTo({ pathname, search })).toBe(parameter);
});
