/** The pages of a long list: after which row each page starts, and which rows belong to it. */
type Start = number | undefined;

/** Further rows appear when the list is opened again. */
const maxInserted = 20;

/**
 * The starts of the pages of a list, from their starts when they were first shown. A new row can push others over the end of
 * its page, before the start of the next one. A page is then inserted between the two. It can overlap the next one;
 * duplicate rows are removed. `rowsOf` returns the known ids of the page after a row. `size` is the length of a full page.
 */
export function pageStarts(cursors: readonly number[], rowsOf: (start: Start) => Ids, size: number): Start[] {
  const starts: Start[] = [undefined];
  for (const cursor of cursors) {
    for (let inserted = 0; inserted < maxInserted; inserted++) {
      const end = gapAfter(rowsOf(starts.at(-1)), cursor, rowsOf(cursor), size);
      if (end === undefined) break;
      starts.push(end);
    }
    starts.push(cursor);
  }
  return starts;
}

type Ids = readonly number[] | undefined;

/** The last row of a page, if rows can be missing between it and the next page. */
function gapAfter(page: Ids, cursor: number, next: Ids, size: number): Start {
  const end = page?.length === size ? page.at(-1) : undefined;
  if (end === undefined || next === undefined) return undefined;
  return page?.includes(cursor) || next.includes(end) ? undefined : end;
}

/** The known starts of up to `pages` pages. `nextOf` returns the start of the page after the one with this start. */
export function linkedStarts<Key>(
  pages: number,
  nextOf: (start: Key | undefined) => Key | undefined,
): (Key | undefined)[] {
  const starts: (Key | undefined)[] = [undefined];
  while (starts.length < pages) {
    const next = nextOf(starts.at(-1));
    if (next === undefined) break;
    starts.push(next);
  }
  return starts;
}

/** Whether a row with this id belongs to a page. The last page also contains all higher ids. */
export function isInPage(
  id: number,
  { after = 0, limit }: { after: number | undefined; limit: number },
  rows: readonly { id: number }[] | undefined,
): boolean {
  const last = rows?.length === limit ? rows.at(-1)?.id : undefined;
  return id > after && (last === undefined || id <= last);
}
