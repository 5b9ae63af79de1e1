import { describe, expect, it } from 'vitest';
import { isInPage } from './in-page.ts';

const rows = [{ id: 11 }, { id: 14 }];

describe('isInPage', () => {
  it.each([
    [false, 10, 'before'],
    [true, 12, 'between the rows of'],
    [true, 14, 'at the end of'],
    [false, 15, 'after'],
  ])('returns %j for the id %i %s a full page', (expected, id) => {
    expect(isInPage(id, { after: 10, limit: 2 }, rows)).toBe(expected);
  });

  it('accepts an id after the last row of the last page, because it can be a new row', () => {
    expect(isInPage(15, { after: 10, limit: 3 }, rows)).toBe(true);
  });

  it('accepts any id while the page is loading', () => {
    expect(isInPage(1, { after: undefined, limit: 3 }, undefined)).toBe(true);
  });
});
