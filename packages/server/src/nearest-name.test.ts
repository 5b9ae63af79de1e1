import { describe, expect, it } from 'vitest';
import { leastWork } from '../testing/least-work.ts';
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

  it('does not take long for a name as long as a body', () => {
    expect(leastWork(500, () => suggestion('x'.repeat(1_000_000), known)).ms).toBeLessThan(500);
  });
});
