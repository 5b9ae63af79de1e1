/** Corrections of a text, and the way back from the corrected text to the original. */

export interface Edit {
  /** An offset into the text before this edit. */
  at: number;
  remove: number;
  insert: string;
}

export const applied = (text: string, { at, remove, insert }: Edit): string =>
  text.slice(0, at) + insert + text.slice(at + remove);

/** The offset in the original text. `edits` are in the order in which they were applied, each to the result of the last. */
export const originalOffset = (edits: readonly Edit[], offset: number): number =>
  edits.reduceRight((at, edit) => before(edit, at), offset);

function before({ at, remove, insert }: Edit, offset: number): number {
  if (offset >= at + insert.length) return offset - insert.length + remove;
  return Math.min(offset, at);
}

/** Puts a part of a text in quotes, in which it means the same. */
export function quoting(text: string, start: number, end: number): Edit[] {
  const value = text.slice(start, end);
  if (!value.includes("'")) return around(start, end, "'");
  const escaped = /["\\]/g;
  const inside = [...value.matchAll(escaped)].map(({ index }) => ({ at: start + index, remove: 0, insert: '\\' }));
  // From the end, so that the offsets of the others stay.
  return [{ at: end, remove: 0, insert: '"' }, ...inside.toReversed(), { at: start, remove: 0, insert: '"' }];
}

const around = (start: number, end: number, quote: string): Edit[] => [
  { at: end, remove: 0, insert: quote },
  { at: start, remove: 0, insert: quote },
];

/** A value as the author should write it. */
export const quoted = (value: string): string =>
  !value.includes('"') ? `"${value}"` : !value.includes("'") ? `'${value}'` : JSON.stringify(value);
