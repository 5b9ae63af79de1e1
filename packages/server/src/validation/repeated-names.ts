/**
 * Names that stand more than once in one object of a JSON text: the parser keeps the last and says nothing, so that two
 * readers of one body could see two different requests. Both functions take text that was parsed without a fault.
 */

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** How many names there are, those that repeat included. The parsed value has fewer where some do. */
export function countNames(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === colon) names++;
  }
  return names;
}

interface Open {
  /** Undefined in a list. */
  names: Set<string> | undefined;
  /** What is being read: the name in an object, the index in a list. */
  place: string | number;
}

interface Bounds {
  most: number;
  /** Below it nothing is told. What stands there is inside of something that repeats, or was refused for its depth. */
  deepest: number;
}

/** The ways to the first of them. Nothing here recurses, as what the parser dropped may be nested to any depth. */
export function findRepeatedNames(text: string, { most, deepest }: Bounds): string[][] {
  const found: string[][] = [];
  const open: Open[] = [];
  for (let at = 0; at < text.length && found.length < most; at++) {
    const sign = text.charAt(at);
    const inner = open.at(-1);
    if (sign === '{') open.push({ names: new Set(), place: '' });
    else if (sign === '[') open.push({ names: undefined, place: 0 });
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ',' && typeof inner?.place === 'number') inner.place++;
    else if (sign === '"') {
      const end = endOfText(text, at);
      const isRepeated = inner?.names && isName(text, end) && !add(inner, readText(text, at, end));
      if (isRepeated && open.length <= deepest) found.push(open.map(({ place }) => String(place)));
      at = end;
    }
  }
  return found;
}

/** Answers whether the object did not have it yet. */
function add(object: Open, name: string): boolean {
  object.place = name;
  const before = object.names?.size;
  return object.names?.add(name).size !== before;
}

/** Parsed only where something is escaped. */
function readText(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

/** The place of the quote that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (place - first) % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text.charAt(at))) at++;
  return text.charCodeAt(at) === colon;
}
