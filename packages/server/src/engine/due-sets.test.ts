import { expect, it } from 'vitest';
import { paceAfter } from './due-sets.ts';

/** The pace after many sets that change one object in the given seconds. */
function paceAt(seconds: number, perMinute: number | null): number {
  let pace = perMinute;
  for (let n = 0; n < 50; n++)
    pace = paceAfter({ started: performance.now(), changed: 1, rate: 1 / seconds, perMinute: pace }).per_minute;
  return pace ?? 0;
}

it.each([
  [30, 1],
  [30, 9],
  [20, 1],
  [1, null],
  [1, 1],
])('the pace of one change in %i s, after %s per minute, becomes the real one', (seconds, before) => {
  expect(paceAt(seconds, before)).toBe(60 / seconds);
});
