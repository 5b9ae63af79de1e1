import { describe, expect, it } from 'vitest';
import { changedValues } from './changed-values.ts';

describe('changedValues', () => {
  it('returns each changed value before and after the change', () => {
    const before = { state: 'arrived', label: 'same', removed: 1 };
    const after = { state: 'processed', label: 'same', state_id: 4 };
    expect(changedValues({ before, after })).toEqual([
      { name: 'state', before: 'arrived', after: 'processed' },
      { name: 'removed', before: '1', after: null },
      { name: 'state_id', before: null, after: '4' },
    ]);
  });

  it('returns all values of a creation, and an empty list for an entry without values', () => {
    expect(changedValues({ before: null, after: { label: 'new', empty: null } })).toEqual([
      { name: 'label', before: null, after: 'new' },
      { name: 'empty', before: null, after: 'null' },
    ]);
    expect(changedValues({ before: null, after: null })).toEqual([]);
  });
});
