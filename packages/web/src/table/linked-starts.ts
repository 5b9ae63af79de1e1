type Start = number | undefined;

/** Where so many pages begin, as far as it is known: each where the one before it says; `nextOf` answers that of a page. */
export function linkedStarts(pages: number, nextOf: (start: Start) => Start): Start[] {
  const starts: Start[] = [undefined];
  while (starts.length < pages) {
    const next = nextOf(starts.at(-1));
    if (next === undefined) break;
    starts.push(next);
  }
  return starts;
}
