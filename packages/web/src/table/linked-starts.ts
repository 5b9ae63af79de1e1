type Start = number | undefined;

/** The known starts of up to `pages` pages. `nextOf` returns the start of the page after the one with this start. */
export function linkedStarts(pages: number, nextOf: (start: Start) => Start): Start[] {
  const starts: Start[] = [undefined];
  while (starts.length < pages) {
    const next = nextOf(starts.at(-1));
    if (next === undefined) break;
    starts.push(next);
  }
  return starts;
}
