/**
 * Values as people are shown them: long texts, lists and maps are cut, with a mark. The work is bounded as well, as a list that
 * a condition builds may hold the same large list many times over.
 */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const longestText = 200;
const mostEntries = 10;
const deepest = 3;
const longestDescription = 100;
const mark = '…';

export function shortened(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return cut(value, longestText);
  if (typeof value !== 'object') return null;
  if (depth >= deepest) return mark;
  return Array.isArray(value) ? shortenedList(value, depth) : shortenedMap(value, depth);
}

function shortenedList(list: readonly unknown[], depth: number): Json[] {
  const items = list.slice(0, mostEntries).map((item) => shortened(item, depth + 1));
  return list.length > mostEntries ? [...items, `${mark} ${list.length - mostEntries} more`] : items;
}

function shortenedMap(map: object, depth: number): Json {
  const names = Object.keys(map);
  const entries = names
    .slice(0, mostEntries)
    .map((name): [string, Json] => [
      cut(name, longestText),
      shortened((map as Record<string, unknown>)[name], depth + 1),
    ]);
  if (names.length > mostEntries) entries.push([mark, `${names.length - mostEntries} more`]);
  // Unlike an assignment, this makes even __proto__ a name like any other.
  return Object.fromEntries(entries);
}

/** In one line, for a sentence. */
export const describeValue = (value: unknown): string => cut(JSON.stringify(shortened(value)), longestDescription);

/** Not within a character of two halves. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${mark}`;
