import { describe, expect, it } from 'vitest';
import { isInPage } from './in-page.ts';

const rows = [{ id: 11 }, { id: 14 }];

describe('a row', () => {
  it.each([
    ['before a full page', 10, false],
    ['between its rows', 12, true],
    ['that is its last', 14, true],
    ['behind it', 15, false],
  ])('%s: %i', (_, id, expected) => {
    expect(isInPage(id, { after: 10, limit: 2 }, rows)).toBe(expected);
  });

  it('behind the last page belongs to it, as it may be new', () => {
    expect(isInPage(15, { after: 10, limit: 3 }, rows)).toBe(true);
  });

  it('belongs to a page that is not there yet', () => {
    expect(isInPage(1, { after: undefined, limit: 3 }, undefined)).toBe(true);
  });
});
