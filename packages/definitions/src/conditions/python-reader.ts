/** Reads the tokens of a condition in Python syntax one by one, as pieces of CEL. */
import type { Piece } from './pieces.ts';
import { celNameOfCall } from './python-names.ts';
import { comparisons, type ConditionFault } from './syntax.ts';
import { isFieldName, isWord, type Token } from './tokens.ts';

export interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  /** Whether this is the body of all() or any(). */
  inQuantifier?: boolean;
  readonly faults: ConditionFault[];
}

/** Not an object, which would have inherited names. */
const literals: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

export const closers = new Set([')', ']', '}']);

export function endsOperand(reader: Reader, token: Token): boolean {
  if (isFieldName(reader.tokens, reader.next) || token.kind === 'text') return false;
  if (isWord(token, 'not')) return isWord(reader.tokens[reader.next + 1], 'in');
  return (
    comparisons.has(token.text) ||
    closers.has(token.text) ||
    token.text === ',' ||
    isWord(token, 'and', 'or', 'is', 'for')
  );
}

const calculations: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);
export const isCalculation = (token: Token | undefined) => token !== undefined && calculations.has(token.text);

export const peek = ({ tokens, next }: Reader) => tokens[next];

/** The next token in CEL syntax. Called only if there is one. */
export function take(reader: Reader): Piece {
  const { tokens, next } = reader;
  const { text, start, kind } = tokens[next] ?? { text: '', start: 0, kind: 'symbol' };
  const literal = kind === 'word' && !isFieldName(tokens, next) ? literals.get(text) : undefined;
  const translated = literal ?? celNameOfCall(tokens, next);
  reader.next += 1;
  return { text: translated ?? text, at: start, spaced: next > 0 && start > (tokens[next - 1]?.end ?? 0) };
}

/** Skips the next token if it is this one. */
export function skip(reader: Reader, text: string): { at: number; skipped: boolean } {
  const token = peek(reader);
  const skipped = token?.text === text;
  if (skipped) reader.next += 1;
  return { at: token?.start ?? 0, skipped };
}
