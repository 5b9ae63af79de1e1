import { describe, expect, it } from 'vitest';
import { chipAt, chipsOf, withoutChip } from './chips.ts';

describe('the chips of a query', () => {
  it('have the text of each term, and the name and operator of filters', () => {
    expect(chipsOf(' state:visual_qc  in-state>3d -var."a b":x,y "burned in" 0029')).toMatchObject([
      { text: 'state:visual_qc', head: 'state:' },
      { text: 'in-state>3d', head: 'in-state>' },
      { text: '-var."a b":x,y', head: '-var."a b":' },
      { text: '"burned in"', head: '' },
      { text: '0029', head: '' },
    ]);
  });

  it('keep the parts that cannot be read, with the reason', () => {
    expect(chipsOf('id:5 stat:done incident:fialed "open')).toMatchObject([
      { text: 'id:5', head: 'id:' },
      { text: 'stat:done incident:fialed "open', head: '', error: 'No filter `stat`. Did you mean state?' },
    ]);
    expect(chipsOf('')).toEqual([]);
  });

  it('can be removed', () => {
    expect(withoutChip(chipsOf('id:5  state:a  x'), 1)).toBe('id:5 x');
  });

  it('are found by a position in the query', () => {
    const chips = chipsOf(' id:5  state:a x');
    expect([1, 4, 7, 13, 15, 5].map((position) => chipAt(chips, position))).toEqual([0, 0, 1, 1, 2, -1]);
  });
});
