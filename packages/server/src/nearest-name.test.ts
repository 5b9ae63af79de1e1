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
  ])('of %j is %j', (wrong, meant) => {
    expect(nearestName(wrong, known)).toBe(meant);
  });

  it.each(['', 'x', 'colour', 'subjects', 'zzzzzzzzzzzzzzzz'])('of %j is nothing, as nothing is near', (wrong) => {
    expect(nearestName(wrong, known)).toBeUndefined();
  });

  it('is the nearer of two', () => {
    expect(nearestName('limits', ['limbs', 'limit'])).toBe('limit');
  });
});

describe('suggestion', () => {
  it('names the nearest', () => {
    expect(suggestion('lable', known)).toBe('did you mean "label"?');
  });

  it('or all there are', () => {
    expect(suggestion('colour', known)).toBe('known are: label, description, date_of_birth, cohort_label, id.');
  });

  it('or says that there are none', () => {
    expect(suggestion('colour', [])).toBe('none is known here.');
  });

  it('compares the first 100 characters only, however long a name is', () => {
    const [meant, other] = ['x'.repeat(100), 'y'.repeat(100)];
    expect(suggestion(meant + 'z'.repeat(1_000_000), [other, meant])).toBe(`did you mean "${meant}"?`);
  });

  it('searches the first 200 names only, however many there are', () => {
    const many = Array.from({ length: 200 }, (_, index) => `name_${index}`);
    expect(suggestion('labl', [...many.slice(1), 'label'])).toBe('did you mean "label"?');
    expect(suggestion('labl', [...many, 'label'])).toMatch(/^known are: name_0, .* and 161 more\.$/);
  });
});
