import { describe, expect, it } from 'vitest';
import { chooseKeys } from './choose-keys.ts';

describe('chooseKeys', () => {
  it.each([
    [
      ['Accept', 'Reprocess', 'Reject'],
      ['a', 'r', 'e'],
    ],
    [
      ['Keep', 'Join', 'keep'],
      ['e', 'o', 'p'],
    ],
    [
      ['2nd reading', 'Größe', '再処理'],
      ['n', 'g', undefined],
    ],
    [
      ['A', 'a'],
      ['a', undefined],
    ],
  ])('of %j are %j', (titles, keys) => {
    expect(chooseKeys(titles)).toEqual(keys);
  });
});
