import { describe, expect, it } from 'vitest';
import { nearestName, suggestion } from './nearest-name.ts';

const known = ['label', 'description', 'date_of_birth', 'cohort_label', 'id'];

describe('nearestName', () => {
  it.each([
    ['lable', 'label'],
    ['labl', 'label'],
    ['labels', 'label'],
    ['LABEL', 'label'],
    ['descripton', 'description'],
    ['desciptoin', 'description'],
    ['dateofbirth', 'date_of_birth'],
    ['cohort_lable', 'cohort_label'],
    ['ID', 'id'],
    ['di', 'id'],
  ])('corrects %j to %j', (wrong, meant) => {
    expect(nearestName(wrong, known)).toBe(meant);
  });

  it.each(['', 'x', 'colour', 'subjects', 'zzzzzzzzzzzzzzzz'])('finds nothing close to %j', (wrong) => {
    expect(nearestName(wrong, known)).toBeUndefined();
  });

  it('finds the closer of two names', () => {
    expect(nearestName('limits', ['limbs', 'limit'])).toBe('limit');
  });
});

describe('suggestion', () => {
  it('suggests the closest name', () => {
    expect(suggestion('lable', known)).toBe('Did you mean "label"?');
  });

  it('lists all names if none is close', () => {
    expect(suggestion('colour', known)).toBe('Expected one of: label, description, date_of_birth, cohort_label, id.');
  });

  it('says that no names are defined if the list is empty', () => {
    expect(suggestion('colour', [])).toBe('None are defined.');
  });

  it('compares only the first 100 characters', () => {
    const [meant, other] = ['x'.repeat(100), 'y'.repeat(100)];
    expect(suggestion(meant + 'z'.repeat(1_000_000), [other, meant])).toBe(`Did you mean "${meant}"?`);
  });

  it('searches only the first 200 names', () => {
    const many = Array.from({ length: 200 }, (_, index) => `name_${index}`);
    expect(suggestion('labl', [...many.slice(1), 'label'])).toBe('Did you mean "label"?');
    expect(suggestion('labl', [...many, 'label'])).toMatch(/^Expected one of: name_0, .* and 161 more\.$/);
  });
});
