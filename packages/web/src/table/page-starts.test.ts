import { describe, expect, it } from 'vitest';
import { isInPage, linkedStarts, pageStarts } from './page-starts.ts';

/** The fetched pages of a list, by the row after which they start. */
const known = (pages: Record<string, number[]>) => (start: number | undefined) => pages[String(start)];

describe('pageStarts', () => {
  it('keeps the starts while no rows are added or removed', () => {
    expect(pageStarts([20, 40], known({ undefined: [10, 20], 20: [30, 40], 40: [50] }), 2)).toEqual([
      undefined,
      20,
      40,
    ]);
  });

  it('inserts a page if a new row pushes another row off the end of its page', () => {
    const pages = { undefined: [5, 10], 20: [30, 40] };
    expect(pageStarts([20], known(pages), 2)).toEqual([undefined, 10, 20]);
    expect(pageStarts([20], known({ ...pages, 10: [20, 30] }), 2)).toEqual([undefined, 10, 20]);
  });

  it('inserts several pages for many new rows', () => {
    const pages = { undefined: [1, 2], 2: [3, 4], 4: [10, 20], 20: [30, 40] };
    expect(pageStarts([20], known(pages), 2)).toEqual([undefined, 2, 4, 20]);
  });

  it('inserts no page if two pages overlap because a row was removed', () => {
    expect(pageStarts([20], known({ undefined: [10, 30], 20: [30, 40] }), 2)).toEqual([undefined, 20]);
  });

  it('inserts no page until both neighbouring pages are loaded', () => {
    expect(pageStarts([20], known({ undefined: [5, 10] }), 2)).toEqual([undefined, 20]);
    expect(pageStarts([20], known({ 20: [30, 40] }), 2)).toEqual([undefined, 20]);
  });
});

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

const nexts = new Map<number | undefined, number>([
  [undefined, 90],
  [90, 70],
]);
const nextOf = (start: number | undefined) => nexts.get(start);

describe('linkedStarts', () => {
  it('follows the link of each page to the next', () => {
    expect(linkedStarts(1, nextOf)).toEqual([undefined]);
    expect(linkedStarts(2, nextOf)).toEqual([undefined, 90]);
  });

  it('stops at the last known page', () => {
    expect(linkedStarts(9, nextOf)).toEqual([undefined, 90, 70]);
  });
});
