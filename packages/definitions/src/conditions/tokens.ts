/**
 * The tokens of a condition in CEL or Python syntax. They are needed before parsing to tell quoted text from the rest: in
 * `'salt and pepper'`, `and` is not an operator.
 */
import type { ConditionFault } from './syntax.ts';

export interface Token {
  kind: 'word' | 'number' | 'text' | 'symbol';
  /** As written. For text, with its quotes and prefix letters. */
  text: string;
  start: number;
  end: number;
}

const blank = /\s+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /(?:0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)[uU]?/y;
const symbol = /[=!]==|\*\*|\/\/|[=!<>]=|<>|<<|>>|&&|\|\||:=|[-+*/%<>!()[\]{}.,:?=&|^~#]/y;
const quotePrefix = /(?:[rbfu]|rb|br|rf|fr)?(?='|")/iy;

/** The tokens up to the first fault, and that fault. */
export function tokensOf(text: string): { tokens: Token[]; faults: ConditionFault[] } {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const space = lengthAt(blank, text, at);
    if (space > 0) {
      at += space;
      continue;
    }
    const token = tokenAt(text, at);
    if ('detail' in token) return { tokens, faults: [token] };
    tokens.push(token);
    at = token.end;
  }
  return { tokens, faults: [] };
}

/** A word after a dot is a field name, even if it is a keyword. */
export const isFieldName = (tokens: readonly Token[], index: number) => tokens[index - 1]?.text === '.';

export const isWord = (token: Token | undefined, ...words: readonly string[]) =>
  token?.kind === 'word' && words.includes(token.text);

const openers = new Set(['(', '[', '{']);
const closers = new Set([')', ']', '}']);

/** The index of the innermost bracket that is open before this token, or -1. For a closing bracket, the one that it closes. */
export function enclosingBracket(tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const { text } = tokens[at] ?? { text: '' };
    if (closers.has(text)) depth += 1;
    else if (openers.has(text) && depth === 0) return at;
    else if (openers.has(text)) depth -= 1;
  }
  return -1;
}

function tokenAt(text: string, at: number): Token | ConditionFault {
  const letters = lengthAt(quotePrefix, text, at, -1);
  if (letters >= 0) return textAt(text, at, at + letters);
  for (const [kind, pattern] of [['word', word] as const, ['number', number] as const, ['symbol', symbol] as const]) {
    const length = lengthAt(pattern, text, at);
    if (length > 0) return { kind, text: text.slice(at, at + length), start: at, end: at + length };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const quote = '\u2018\u2019\u201c\u201d\u0060\u00b4'.includes(character);
  const advice = quote ? 'Quote text with \' or ".' : 'Put text in quotes.';
  return { offset: at, detail: `unexpected character ${JSON.stringify(character)}. ${advice}` };
}

function lengthAt(pattern: RegExp, text: string, at: number, missing = 0): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? missing;
}

/** Text in single or triple quotes. `quoteAt` is the offset of the first quote. */
function textAt(text: string, start: number, quoteAt: number): Token | ConditionFault {
  const single = text.charAt(quoteAt);
  const quote = text.startsWith(single.repeat(3), quoteAt) ? single.repeat(3) : single;
  for (let at = quoteAt + quote.length; at < text.length; at++) {
    if (text.startsWith(quote, at)) {
      const end = at + quote.length;
      return { kind: 'text', text: text.slice(start, end), start, end };
    }
    if (quote === single && /[\r\n]/.test(text.charAt(at))) {
      return {
        offset: at,
        detail: 'the line ends inside quoted text. Close the quotes, or write \\n for a line break.',
      };
    }
    if (text.charAt(at) === '\\') at += 1;
  }
  return { offset: start, detail: `this text has no closing ${quote}.` };
}
