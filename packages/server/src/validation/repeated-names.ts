/**
 * Finds duplicate names in the objects of a JSON text. JSON.parse silently keeps the last one, and other parsers may keep the
 * first. Both functions expect valid JSON.
 */

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** Counts names including duplicates. The parsed value has fewer if there are any. */
export function countNames(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) names++;
  }
  return names;
}

interface Open {
  /** Undefined in a list. */
  names: Set<string> | undefined;
  /** The current name in an object, or index in a list. */
  key: string | number;
}

interface Limits {
  max: number;
  /** Duplicates below this depth are not reported. They are inside another duplicate or were rejected for their depth. */
  maxDepth: number;
}

/** The paths of the first duplicates. Not recursive, because a dropped value can be nested to any depth. */
export function findRepeatedNames(text: string, { max, maxDepth }: Limits): string[][] {
  const found: string[][] = [];
  const open: Open[] = [];
  for (let at = 0; at < text.length && found.length < max; at++) {
    const character = text.charAt(at);
    const inner = open.at(-1);
    if (character === '{') open.push({ names: new Set(), key: '' });
    else if (character === '[') open.push({ names: undefined, key: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && typeof inner?.key === 'number') inner.key++;
    else if (character === '"') {
      const end = endOfString(text, at);
      const isRepeated = inner?.names && isName(text, end) && !add(inner, readString(text, at, end));
      if (isRepeated && open.length <= maxDepth) found.push(open.map(({ key }) => String(key)));
      at = end;
    }
  }
  return found;
}

/** Returns false if the object already has the name. */
function add(object: Open, name: string): boolean {
  object.key = name;
  const before = object.names?.size;
  return object.names?.add(name).size !== before;
}

/** Parses the string only if it contains an escape. */
function readString(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

/** The index of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (index - first) % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\n\r'.includes(text.charAt(at))) at++;
  return text.charCodeAt(at) === colon;
}
