import { expect, it } from 'vitest';
import { changedValues } from './changed-values.ts';

it('are those that differ, with what was there before and after', () => {
  const before = { state: 'arrived', label: 'same', gone: 1 };
  const after = { state: 'processed', label: 'same', state_id: 4 };
  expect(changedValues({ before, after })).toEqual([
    { name: 'state', before: 'arrived', after: 'processed' },
    { name: 'gone', before: '1', after: null },
    { name: 'state_id', before: null, after: '4' },
  ]);
});

it('of a creation are all, and of nothing none', () => {
  expect(changedValues({ before: null, after: { label: 'new', empty: null } })).toEqual([
    { name: 'label', before: null, after: 'new' },
    { name: 'empty', before: null, after: 'null' },
  ]);
  expect(changedValues({ before: null, after: null })).toEqual([]);
});
