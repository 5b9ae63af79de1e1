import { expect, it } from 'vitest';
import { linkedStarts } from './linked-starts.ts';

const nexts = new Map<number | undefined, number>([
  [undefined, 90],
  [90, 70],
]);
const nextOf = (start: number | undefined) => nexts.get(start);

it('pages begin where the ones before them say', () => {
  expect(linkedStarts(1, nextOf)).toEqual([undefined]);
  expect(linkedStarts(2, nextOf)).toEqual([undefined, 90]);
});

it('as many as are wanted and known', () => {
  expect(linkedStarts(9, nextOf)).toEqual([undefined, 90, 70]);
});
