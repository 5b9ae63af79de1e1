import { expect, it } from 'vitest';
import { pageStarts } from './page-starts.ts';

/** What is fetched of a list now, by the row that a page begins behind. */
const known = (pages: Record<string, number[]>) => (start: number | undefined) => pages[String(start)];

it('is where they began, as long as nothing came or went', () => {
  expect(pageStarts([20, 40], known({ undefined: [10, 20], 20: [30, 40], 40: [50] }), 2)).toEqual([undefined, 20, 40]);
});

it('puts a page where a row was pushed over the end of the one before', () => {
  const pages = { undefined: [5, 10], 20: [30, 40] };
  expect(pageStarts([20], known(pages), 2)).toEqual([undefined, 10, 20]);
  expect(pageStarts([20], known({ ...pages, 10: [20, 30] }), 2)).toEqual([undefined, 10, 20]);
});

it('puts several where many came', () => {
  const pages = { undefined: [1, 2], 2: [3, 4], 4: [10, 20], 20: [30, 40] };
  expect(pageStarts([20], known(pages), 2)).toEqual([undefined, 2, 4, 20]);
});

it('needs none where a row has left, and the page before reaches into the next', () => {
  expect(pageStarts([20], known({ undefined: [10, 30], 20: [30, 40] }), 2)).toEqual([undefined, 20]);
});

it('waits until the pages around are known', () => {
  expect(pageStarts([20], known({ undefined: [5, 10] }), 2)).toEqual([undefined, 20]);
  expect(pageStarts([20], known({ 20: [30, 40] }), 2)).toEqual([undefined, 20]);
});
