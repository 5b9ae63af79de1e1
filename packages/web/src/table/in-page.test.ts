import { describe, expect, it } from 'vitest';
import { isInPage } from './in-page.ts';

const rows = [{ id: 11 }, { id: 14 }];

describe('isInPage', () => {
  it.each([
    ['before a full page', 10, false],
    ['between its rows', 12, true],
    ['at its last row', 14, true],
    ['after it', 15, false],
  ])('checks an id %s: %i', (_, id, expected) => {
    expect(isInPage(id, { after: 10, limit: 2 }, rows)).toBe(expected);
  });

  it('accepts an id after the last page, which can be a new row', () => {
    expect(isInPage(15, { after: 10, limit: 3 }, rows)).toBe(true);
  });

  it('accepts any id while the page is loading', () => {
    expect(isInPage(1, { after: undefined, limit: 3 }, undefined)).toBe(true);
  });
});
