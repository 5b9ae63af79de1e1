/**
 * Text functions of conditions that run in linear time. The search of the JavaScript engine does not: it took 98 s to search
 * hostile text of 1,000,000 characters for one of 500,000.
 */

/** Up to this length, the built-in search is fast for any text. */
const maxSimpleLength = 32;

export function containsText(text: string, part: string): boolean {
  return part.length <= maxSimpleLength ? text.includes(part) : containsLong(text, part);
}

/** The Knuth-Morris-Pratt algorithm, which reads each character of `text` once. */
function containsLong(text: string, part: string): boolean {
  const codes = codesOf(part);
  const borders = bordersOf(codes);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    matched = extended(matched, text.charCodeAt(at), codes, borders);
    if (matched === codes.length) return true;
  }
  return false;
}

const codesOf = (text: string) => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** The length of the match after the next character. */
function extended(before: number, code: number, codes: Uint16Array, borders: Uint32Array): number {
  let matched = before;
  while (matched > 0 && codes[matched] !== code) matched = borders[matched - 1] ?? 0;
  return codes[matched] === code ? matched + 1 : matched;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(codes: Uint16Array): Uint32Array {
  const borders = new Uint32Array(codes.length);
  for (let at = 1; at < codes.length; at++) {
    borders[at] = extended(borders[at - 1] ?? 0, codes[at] ?? 0, codes, borders);
  }
  return borders;
}

/** The number of code points, as in CEL. */
export function sizeOfText(text: string): number {
  let size = text.length;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLow(code) && isHigh(text.charCodeAt(at - 1))) size -= 1;
  }
  return size;
}

/** Compares by code points, as CEL and PostgreSQL's "C" collation do. The result is negative, 0 or positive. */
export function orderOfTexts(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000;
/** Surrogates encode code points above all others. */
const rank = (code: number) => (isHigh(code) || isLow(code) ? code + 0x1_0000 : code);

export const lowerAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
export const upperAscii = (text: string) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
