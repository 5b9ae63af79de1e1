/** Corrections of a text, and the way back from the corrected text to the original. */
import { lastAtMost } from './line-places.ts';

export interface Edit {
  /** An offset into the text before the correction. */
  at: number;
  remove: number;
  insert: string;
}

/** Edits of one text in the order of their offsets. A shifted block has one for each line. */
export type Correction = readonly Edit[];

export function corrected(text: string, edits: Correction): string {
  let from = 0;
  const pieces = edits.map(({ at, remove, insert }) => {
    const before = text.slice(from, at);
    from = at + remove;
    return before + insert;
  });
  return pieces.join('') + text.slice(from);
}

/** Returns the offset in the text before the correction. */
export type BackTo = (offset: number) => number;

export function backFrom(edits: Correction): BackTo {
  let shift = 0;
  const places = edits.map(({ at, remove, insert }) => {
    const start = at + shift;
    shift += insert.length - remove;
    return { at, remove, start, end: start + insert.length };
  });
  const starts = places.map(({ start }) => start);
  return (offset) => {
    const place = places[lastAtMost(starts, offset)];
    if (!place || offset < place.start) return offset;
    return offset < place.end ? place.at : place.at + place.remove + offset - place.end;
  };
}

export interface Quoting {
  start: number;
  end: number;
  /** The number of quotes to replace at both ends, inside of `start` and `end`. */
  replaced: 0 | 1;
}

/** Puts a part of a text in quotes, in which it means the same. */
export function quoting(text: string, { start, end, replaced }: Quoting): Correction {
  const [from, to] = [start + replaced, end - replaced];
  const value = text.slice(from, to);
  const removed = replaced === 0 ? [] : escapesIn(value, text.charAt(start));
  const quote = value.includes("'") ? '"' : "'";
  const escaped = quote === '"' ? [...value.matchAll(/["\\]/g)].map(({ index }) => index) : [];
  const removals = removed.map((index) => ({ at: from + index, remove: 1, insert: '' }));
  const escapes = escaped
    .filter((index) => !removed.includes(index))
    .map((index) => ({ at: from + index, remove: 0, insert: '\\' }));
  return [
    { at: start, remove: replaced, insert: quote },
    ...[...removals, ...escapes].toSorted((one, other) => one.at - other.at),
    { at: to, remove: replaced, insert: quote },
  ];
}

/** The offsets of the characters that escape the next one. Doubled quotes with no letter beside them are an empty text. */
function escapesIn(value: string, quote: string): number[] {
  const escape = quote === '"' ? /\\["\\]|(?<=\w)""|""(?=\w)/g : /(?<=\w)''|''(?=\w)/g;
  return [...value.matchAll(escape)].map(({ index }) => index);
}

/** What the author means by the inside of a quoted value. */
export function unescaped(value: string, quote: string): string {
  const removed = new Set(escapesIn(value, quote));
  return value.replaceAll(/["'\\]/g, (character, index: number) => (removed.has(index) ? '' : character));
}

/** A value as the author should write it. */
export const quoted = (value: string): string =>
  !/["\\]/.test(value) ? `"${value}"` : !value.includes("'") ? `'${value}'` : JSON.stringify(value);
