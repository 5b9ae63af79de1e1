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
  const quote = value.includes("'") ? '"' : "'";
  const escaped = quote === '"' ? value.matchAll(/["\\]/g) : [];
  return [
    { at: start, remove: replaced, insert: quote },
    ...[...escaped].map(({ index }) => ({ at: from + index, remove: 0, insert: '\\' })),
    { at: to, remove: replaced, insert: quote },
  ];
}

/** A value as the author should write it. */
export const quoted = (value: string): string =>
  !value.includes('"') ? `"${value}"` : !value.includes("'") ? `'${value}'` : JSON.stringify(value);
