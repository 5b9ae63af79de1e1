/**
 * Shortens values for display: long texts, lists and maps are cut and marked. The work is limited as well, because a list that a
 * condition builds can contain the same large list many times.
 */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const maxTextLength = 200;
const maxEntries = 10;
const maxDepth = 3;
const maxDescriptionLength = 100;
const mark = '…';

export function shortened(value: unknown, depth = 0): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return cut(value, maxTextLength);
  if (typeof value !== 'object') return null;
  if (depth >= maxDepth) return mark;
  return Array.isArray(value) ? shortenedList(value, depth) : shortenedMap(value, depth);
}

function shortenedList(list: readonly unknown[], depth: number): Json[] {
  const items = list.slice(0, maxEntries).map((item) => shortened(item, depth + 1));
  return list.length > maxEntries ? [...items, `${mark} ${list.length - maxEntries} more`] : items;
}

function shortenedMap(map: object, depth: number): Json {
  const names = Object.keys(map);
  const entries = names
    .slice(0, maxEntries)
    .map((name): [string, Json] => [
      cut(name, maxTextLength),
      shortened((map as Record<string, unknown>)[name], depth + 1),
    ]);
  if (names.length > maxEntries) entries.push([mark, `${names.length - maxEntries} more`]);
  // Unlike an assignment, this treats __proto__ like any other name.
  return Object.fromEntries(entries);
}

/** One line, for use in a sentence. */
export const describeValue = (value: unknown): string => cut(JSON.stringify(shortened(value)), maxDescriptionLength);

/** Never cuts a surrogate pair. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}${mark}`;
