import { describe, expect, it } from 'vitest';
import { linkedStarts } from './linked-starts.ts';

const nexts = new Map<number | undefined, number>([
  [undefined, 90],
  [90, 70],
]);
const nextOf = (start: number | undefined) => nexts.get(start);

describe('linkedStarts', () => {
  it('follows the link of each page to the next', () => {
    expect(linkedStarts(1, nextOf)).toEqual([undefined]);
    expect(linkedStarts(2, nextOf)).toEqual([undefined, 90]);
  });

  it('stops at the last known page', () => {
    expect(linkedStarts(9, nextOf)).toEqual([undefined, 90, 70]);
  });
});
