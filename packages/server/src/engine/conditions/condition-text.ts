/**
 * Texts inside conditions, in time that grows with their length and no faster. The engine's own search does not promise that:
 * a hostile text of 500,000 characters sought in one of 1,000,000 took it 98 s.
 */

/** Up to here the engine's own search cannot take long, and it is the faster one. */
const longestSimple = 32;

export function containsText(text: string, part: string): boolean {
  return part.length <= longestSimple ? text.includes(part) : containsLong(text, part);
}

/** Knuth, Morris and Pratt: no character of `text` is looked at twice. */
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

/** How much of the part is matched when one more character is seen. */
function extended(before: number, code: number, codes: Uint16Array, borders: Uint32Array): number {
  let matched = before;
  while (matched > 0 && codes[matched] !== code) matched = borders[matched - 1] ?? 0;
  return codes[matched] === code ? matched + 1 : matched;
}

/** For each beginning of the part: how much of it is also its end. */
function bordersOf(codes: Uint16Array): Uint32Array {
  const borders = new Uint32Array(codes.length);
  for (let at = 1; at < codes.length; at++) {
    borders[at] = extended(borders[at - 1] ?? 0, codes[at] ?? 0, codes, borders);
  }
  return borders;
}

/** In characters (code points), as CEL counts. */
export function sizeOfText(text: string): number {
  let size = text.length;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLow(code) && isHigh(text.charCodeAt(at - 1))) size -= 1;
  }
  return size;
}

/** Below 0, 0 or above 0: by code points, as CEL and PostgreSQL's "C" collation order texts. */
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
/** Halves of characters stand for what lies beyond every whole one. */
const rank = (code: number) => (isHigh(code) || isLow(code) ? code + 0x1_0000 : code);

export const lowerAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
export const upperAscii = (text: string) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
