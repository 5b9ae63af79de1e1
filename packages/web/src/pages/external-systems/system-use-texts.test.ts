import { describe, expect, it } from 'vitest';
import { callbacksText, idsText } from './system-use-texts.ts';

const ref = (label: string) => ({ id: 1, label, uri: '' });
const first = [{ callback: ref('archive'), state: ref('archiving'), workflow: ref('brain_mri') }];

describe('callbacksText', () => {
  it.each([
    [1, 1, '1 callback in brain_mri'],
    [2, 1, '2 callbacks in brain_mri'],
    [5, 3, '5 callbacks in 3 workflows'],
    [1000, 12, '1,000+ callbacks in 12 workflows'],
  ])('of %i callbacks in %i workflows is %s', (count, workflows, text) => {
    expect(callbacksText({ count, workflows, first })).toBe(text);
  });
});

describe('idsText', () => {
  it.each([
    [120, 135, '120 subjects, 135 experiments'],
    [1, 0, '1 subject'],
    [0, 1000, '1,000+ experiments'],
    [0, 0, undefined],
    [null, null, undefined],
  ])('of %s subjects and %s experiments is %s', (subjects, experiments, text) => {
    expect(idsText({ subjects, experiments })).toBe(text);
  });
});
