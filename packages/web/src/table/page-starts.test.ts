import { describe, expect, it } from 'vitest';
import { pageStarts } from './page-starts.ts';

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
