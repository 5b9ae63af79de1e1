import { describe, expect, it } from 'vitest';
import { partWords, wayWord } from './way-words.ts';

describe('a way on', () => {
  it.each([
    ['possible now', { allowed: true, by: 'both', missing_permission: null }],
    ['not yet', { allowed: false, by: 'both', missing_permission: null }],
    ['not yet', { allowed: false, by: 'person', missing_permission: null }],
    ['needs a permission', { allowed: false, by: 'person', missing_permission: 'sample_state_update' }],
    ['by the workflow', { allowed: false, by: 'engine', missing_permission: 'sample_state_update' }],
  ] as const)('is %s', (word, way) => {
    expect(wayWord(way)).toBe(word);
  });
});

describe('a part of a condition', () => {
  it('is shown as JSON, or with why it has no value', () => {
    expect(partWords({ text: 'x', value: 'failed' })).toBe('"failed"');
    expect(partWords({ text: 'x', value: null })).toBe('null');
    expect(partWords({ text: 'x', value: null, error: 'There is no such callback.' })).toBe(
      'There is no such callback.',
    );
  });
});
