import { describe, expect, it } from 'vitest';
import { afterConflict, changesOf, conflictsOf, filledIn } from './changes.ts';

const first = { label: 'MC-0041', description: 'Patients' };

describe('changesOf', () => {
  it('returns only changed texts, without outer spaces', () => {
    expect(changesOf(first, { label: ' MC-0041 ', description: ' Patients of 2026 ' })).toEqual({
      description: 'Patients of 2026',
    });
  });

  it('returns an emptied text', () => {
    expect(changesOf(first, { ...first, description: ' ' })).toEqual({ description: '' });
  });

  it('returns a text that was not there before', () => {
    expect(changesOf<Record<string, string>>({}, { XNAT: 'S1' })).toEqual({ XNAT: 'S1' });
  });
});

describe('conflictsOf', () => {
  it('names a text that both users changed', () => {
    expect(conflictsOf(first, { label: 'MC-0042' }, { ...first, label: 'MC-0043' })).toEqual(['label']);
  });

  it('names no text that only one of them changed, or both in the same way', () => {
    expect(conflictsOf(first, { label: 'MC-0042' }, { ...first, description: 'Others' })).toEqual([]);
    expect(conflictsOf(first, { label: 'MC-0042' }, { ...first, label: 'MC-0042' })).toEqual([]);
  });

  it('names a text that the other user added or removed', () => {
    expect(conflictsOf({}, { XNAT: 'S1' }, { XNAT: 'S2' })).toEqual(['XNAT']);
    expect(conflictsOf({ XNAT: 'S1' }, { XNAT: 'S2' }, {})).toEqual(['XNAT']);
  });
});

describe('filledIn', () => {
  it('omits empty texts', () => {
    expect(filledIn({ label: ' MC-0041 ', description: ' ' })).toEqual({ label: 'MC-0041' });
  });
});

it('after a conflict, only the fields that the user changed are sent', () => {
  const opened = { label: 'a', description: 'b', scandate: 'c' };
  const edited = { label: 'mine', description: 'also mine', scandate: 'c' };
  const current = { label: 'theirs', description: 'b', scandate: 'theirs' };
  const names = conflictsOf(opened, changesOf(opened, edited), current);
  expect(names).toEqual(['label']);
  const next = afterConflict(opened, names, current);
  expect(changesOf(next, edited)).toEqual({ label: 'mine', description: 'also mine' });
  expect(conflictsOf(next, changesOf(next, edited), current)).toEqual([]);
});
