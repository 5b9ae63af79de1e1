/** Finds the part of a query that is being written, so that a field can offer completions for it. */
import { isQueryName, ruleOf, type QueryName } from './names.ts';
import type { Place } from './terms.ts';

/** The text at `position` with `length` is replaced by a completion. `typed` is the part of it before the cursor. */
export type Completion = Place & { typed: string } & (
    | { part: 'name' }
    /** The variable or the external system after the dot. */
    | { part: 'key'; name: QueryName }
    | { part: 'value'; name: QueryName; key: string }
    /** A quoted word, or a value of a name that does not exist. */
    | { part: 'text' }
  );

const head = /^([^\s":<>=,.]+)(?:\.("(?:[^"\\]|\\.)*"|[^\s":<>=,]*))?(:|>=|<=|>|<)?/s;

export function completeQuery(text: string, cursor: number): Completion {
  const term = startOfPart(text, cursor, /\s/);
  const start = text[term] === '-' && cursor > term ? term + 1 : term;
  const [whole = '', given = '', key, operator] = head.exec(text.slice(start, cursor)) ?? [];
  const name = given.toLowerCase();
  if (operator !== undefined) return completeValue(text, cursor, { name, key: key ?? '', from: start + whole.length });
  if (key !== undefined && isQueryName(name) && ruleOf(name).key) {
    return { part: 'key', name, ...placeAt(text, start + given.length + 1, cursor, /[\s:<>]/) };
  }
  const part = text[start] === '"' ? 'text' : 'name';
  return { part, ...placeAt(text, start, cursor, part === 'text' ? /\s/ : /[\s.:<>]/) };
}

function completeValue(
  text: string,
  cursor: number,
  { name, key, from }: { name: string; key: string; from: number },
): Completion {
  const start = startOfPart(text, cursor, /,/, from);
  const found = placeAt(text, start, cursor, /[\s,]/);
  return isQueryName(name) ? { part: 'value', name, key: withoutQuotes(key), ...found } : { part: 'text', ...found };
}

const withoutQuotes = (text: string) =>
  (text.startsWith('"') ? text.slice(1) : text).replace(/"$/, '').replaceAll(/\\(.)/gs, '$1');

/** Where the part before the cursor begins: after the last separator outside quotes. */
function startOfPart(text: string, cursor: number, separator: RegExp, from = 0): number {
  let [start, inQuotes] = [from, false];
  for (let at = from; at < cursor; at++) {
    const character = text.charAt(at);
    if (character === '\\' && inQuotes) at++;
    else if (character === '"') inQuotes = !inQuotes;
    else if (!inQuotes && separator.test(character)) start = at + 1;
  }
  return Math.min(start, cursor);
}

/** To the next separator. In quotes, to the closing quote. */
function placeAt(text: string, start: number, cursor: number, separator: RegExp): Place & { typed: string } {
  const quoted = text[start] === '"' ? /^"(?:[^"\\]|\\.)*"?/s.exec(text.slice(start)) : undefined;
  const tail = text.slice(cursor).search(separator);
  const end = quoted ? start + quoted[0].length : tail < 0 ? text.length : cursor + tail;
  return { position: start, length: Math.max(end, cursor) - start, typed: withoutQuotes(text.slice(start, cursor)) };
}
