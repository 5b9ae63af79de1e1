import { expect, it } from 'vitest';
import { rateChoices, usualRate } from './rates.ts';

it('estimates the duration of each rate', () => {
  expect(rateChoices(1187).map(({ label }) => label)).toEqual([
    'Up to 10 a second, about 1 min',
    'Up to 50 a second, about 24 s',
    'Up to 200 a second, about 6 s',
    'As fast as allowed',
  ]);
});

it('offers the usual rate, also before the number is known', () => {
  expect(rateChoices(0).find(({ value }) => value === usualRate)?.label).toBe('Up to 50 a second');
});
