/**
 * Where the pages of a list begin, given where they began when they were first shown. A row that came to the list since may
 * have pushed others over the end of its page, in front of the row behind which the next one begins: then a page is put
 * between the two. It may overlap the next one; rows are shown once.
 */
type Start = number | undefined;

/** More than so many are fetched when the list is opened anew. */
const mostBetween = 20;

/** `rowsOf` answers the ids of the page behind a row, as far as they are known; `size` is how many a full page has. */
export function pageStarts(
  cursors: readonly number[],
  rowsOf: (start: Start) => readonly number[] | undefined,
  size: number,
): Start[] {
  const starts: Start[] = [undefined];
  for (const cursor of cursors) {
    const next = rowsOf(cursor);
    for (let between = 0; next && between < mostBetween; between++) {
      const page = rowsOf(starts.at(-1));
      const end = page?.length === size ? page.at(-1) : undefined;
      if (end === undefined || end === cursor || next.includes(end) || page?.includes(cursor)) break;
      starts.push(end);
    }
    starts.push(cursor);
  }
  return starts;
}
