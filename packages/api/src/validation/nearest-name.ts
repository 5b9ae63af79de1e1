/** Suggests a known name for a wrong one, for messages such as: /lable is not a known field. Did you mean "label"? */

/** Limits of the search and of the message, because callers can send any number of long names. */
const maxSearched = 200;
const maxListed = 40;
const longestName = 100;

export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** `Did you mean "label"?` or, if no name is similar, a list of the known names. */
export function suggestion(wrong: string, known: readonly string[], most = maxListed): string {
  const nearest = nearestName(wrong.slice(0, longestName), known.slice(0, maxSearched));
  if (nearest !== undefined) return `Did you mean "${shortened(nearest)}"?`;
  return known.length === 0 ? 'None are defined.' : `Expected one of: ${enumerated(known, most)}.`;
}

/** `a, b and 12 more`. */
export function enumerated(names: readonly string[], most: number): string {
  const listed = names
    .slice(0, most)
    .map((name) => shortened(name))
    .join(', ');
  return names.length > most ? `${listed} and ${names.length - most} more` : listed;
}

export const shortened = (name: string, longest = longestName): string =>
  name.length > longest ? `${name.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : name;

/** The number of letters to insert, remove, replace or swap with their neighbour, up to `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (beforeLast[j - 2] ?? 0) + 1 : limit;
      row.push(Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swap));
    }
    if (Math.min(...row) >= limit) return limit;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? limit;
}
