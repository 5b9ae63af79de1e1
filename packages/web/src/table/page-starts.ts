/**
 * Where the pages of a list begin, given where they began when they were first shown. A row that came to the list since may
 * have pushed others over the end of its page, in front of the row behind which the next one begins: then a page is put
 * between the two. It may overlap the next one; rows are shown once.
 */
type Start = number | undefined;

/** More than so many are fetched when the list is opened anew. */
const mostBetween = 20;

/** `rowsOf` answers the ids of the page behind a row, as far as they are known; `size` is how many a full page has. */
export function pageStarts(cursors: readonly number[], rowsOf: (start: Start) => Ids, size: number): Start[] {
  const starts: Start[] = [undefined];
  for (const cursor of cursors) {
    for (let between = 0; between < mostBetween; between++) {
      const end = gapBehind(rowsOf(starts.at(-1)), cursor, rowsOf(cursor), size);
      if (end === undefined) break;
      starts.push(end);
    }
    starts.push(cursor);
  }
  return starts;
}

type Ids = readonly number[] | undefined;

/** The last row of a page, where others may stand between it and the next page. */
function gapBehind(page: Ids, cursor: number, next: Ids, size: number): Start {
  const end = page?.length === size ? page.at(-1) : undefined;
  if (end === undefined || next === undefined) return undefined;
  return page?.includes(cursor) || next.includes(end) ? undefined : end;
}
