/**
 * Translates conditions in Python syntax, which older files use, to CEL. It follows Python's precedence, in which `not` is lower
 * than comparisons: `not a == b` becomes `!(a == b)`. Only and, or, not, not in, is None, is not None, True, False and None are
 * translated, and all other Python is rejected (docs/decisions/0014).
 */
import { comparisons, type ConditionFault } from './syntax.ts';
import { isFieldName, isWord, type Token } from './tokens.ts';

export interface Translation {
  cel: string;
  /** Maps an offset in `cel` to the offset in the original. */
  offsetOf: (offset: number) => number;
  faults: ConditionFault[];
}

/** A piece of CEL and the offset of the token that it replaces. */
interface Piece {
  text: string;
  at: number;
  spaced: boolean;
}

interface Translated {
  pieces: Piece[];
  /** Whether `!` can precede it without parentheses. */
  whole: boolean;
}

interface Reader {
  readonly tokens: readonly Token[];
  next: number;
  readonly faults: ConditionFault[];
}

const pythonWords = ['and', 'or', 'not', 'is', 'True', 'False', 'None'];
const celSymbols = new Set(['&&', '||', '!', '?']);
const celWords = ['true', 'false', 'null'];
/** Not an object, which would have inherited names. */
const literals: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

const findWord = (tokens: readonly Token[], words: readonly string[]) =>
  tokens.find((token, index) => isWord(token, ...words) && !isFieldName(tokens, index));

export const isPython = (tokens: readonly Token[]): boolean => findWord(tokens, pythonWords) !== undefined;

export function translatePython(tokens: readonly Token[]): Translation {
  const mixed = mixFault(tokens);
  if (mixed) return { cel: '', offsetOf: (offset) => offset, faults: [mixed] };
  const reader: Reader = { tokens, next: 0, faults: [] };
  const pieces: Piece[] = [];
  while (reader.next < tokens.length) {
    pieces.push(...readLogic(reader).pieces);
    // A token that cannot start or continue an expression is left to the CEL parser, which rejects it.
    if (reader.next < tokens.length) pieces.push(take(reader));
  }
  return { ...joined(pieces, tokens.at(-1)?.end ?? 0), faults: reader.faults };
}

function mixFault(tokens: readonly Token[]): ConditionFault | undefined {
  const python = findWord(tokens, pythonWords);
  const cel = tokens.find(({ kind, text }) => kind === 'symbol' && celSymbols.has(text)) ?? findWord(tokens, celWords);
  if (!python || !cel) return undefined;
  const [first, second] = python.start < cel.start ? [python, cel] : [cel, python];
  const language = (token: Token) => (token === python ? 'Python' : 'CEL');
  const detail = `"${second.text}" is ${language(second)} syntax, but "${first.text}" is ${language(first)} syntax. Use only one.`;
  return { offset: second.start, detail };
}

/** `and` has higher precedence than `or` in both languages, so a sequence of them needs no parentheses. */
function readLogic(reader: Reader): Translated {
  const first = readNot(reader);
  const pieces = [...first.pieces];
  while (isWord(peek(reader), 'and', 'or')) {
    const operator = take(reader);
    pieces.push({ ...operator, text: operator.text === 'and' ? '&&' : '||' }, ...readNot(reader).pieces);
  }
  return { pieces, whole: first.whole && pieces.length === first.pieces.length };
}

function readNot(reader: Reader): Translated {
  if (!isWord(peek(reader), 'not')) return readComparison(reader);
  const not = take(reader);
  const operand = readNot(reader);
  return {
    pieces: [{ ...not, text: '!' }, ...(operand.whole ? tight(operand.pieces) : enclosed(operand.pieces))],
    whole: true,
  };
}

function readComparison(reader: Reader): Translated {
  const left = readOperand(reader);
  const operator = peek(reader);
  if (isWord(operator, 'is')) return { pieces: [...left.pieces, ...readIs(reader)], whole: false };
  if (isWord(operator, 'not')) {
    const { at } = take(reader);
    const pieces = [...left.pieces, take(reader), ...readRight(reader)];
    return { pieces: [{ text: '!', at, spaced: pieces[0]?.spaced ?? false }, ...enclosed(pieces)], whole: true };
  }
  if (!operator || !comparisons.has(operator.text)) return left;
  return { pieces: [...left.pieces, take(reader), ...readRight(reader)], whole: false };
}

/** The right side of a comparison. `a == not b` is not valid Python. */
function readRight(reader: Reader): Piece[] {
  const token = peek(reader);
  if (token && isWord(token, 'not')) {
    reader.faults.push({
      offset: token.start,
      detail: '"not" has lower precedence than a comparison. Write (not x) here.',
    });
    return readNot(reader).pieces;
  }
  return readOperand(reader).pieces;
}

function readIs(reader: Reader): Piece[] {
  const is = take(reader);
  const not = isWord(peek(reader), 'not') ? take(reader) : undefined;
  const operator = { ...is, text: not ? '!=' : '==' };
  if (isWord(peek(reader), 'None')) return [operator, take(reader)];
  const written = not ? 'is not' : 'is';
  reader.faults.push({
    offset: is.at,
    detail: `"${written}" can compare only with None. Write ${operator.text} for other values.`,
  });
  return [operator, ...readOperand(reader).pieces];
}

/** A value with arithmetic, which is the same in both languages. */
function readOperand(reader: Reader): Translated {
  const pieces: Piece[] = [];
  let whole = true;
  for (let token = peek(reader); token && !endsOperand(reader, token); token = peek(reader)) {
    if (isWord(token, 'not')) {
      reader.faults.push({ offset: token.start, detail: 'unexpected "not". Write (not x) in parentheses.' });
    }
    if ('+-*/%'.includes(token.text)) whole = false;
    pieces.push(take(reader));
    if (token.text === '(' || token.text === '[') pieces.push(...readGroup(reader));
  }
  return { pieces, whole };
}

/** Up to and including the closing bracket. */
function readGroup(reader: Reader): Piece[] {
  const pieces: Piece[] = [];
  for (let token = peek(reader); token; token = peek(reader)) {
    if (closers.has(token.text)) return [...pieces, take(reader)];
    const before = reader.next;
    pieces.push(...readLogic(reader).pieces);
    if (reader.next === before || peek(reader)?.text === ',') pieces.push(take(reader));
  }
  return pieces;
}

const closers = new Set([')', ']', '}']);

function endsOperand(reader: Reader, token: Token): boolean {
  if (isFieldName(reader.tokens, reader.next) || token.kind === 'text') return false;
  if (isWord(token, 'not')) return isWord(reader.tokens[reader.next + 1], 'in');
  return (
    comparisons.has(token.text) || closers.has(token.text) || token.text === ',' || isWord(token, 'and', 'or', 'is')
  );
}

const peek = ({ tokens, next }: Reader) => tokens[next];

/** The next token in CEL syntax. Called only if there is one. */
function take(reader: Reader): Piece {
  const { tokens, next } = reader;
  const { text, start, kind } = tokens[next] ?? { text: '', start: 0, kind: 'symbol' };
  const translated = kind === 'word' && !isFieldName(tokens, next) ? literals.get(text) : undefined;
  reader.next += 1;
  return { text: translated ?? text, at: start, spaced: next > 0 && start > (tokens[next - 1]?.end ?? 0) };
}

const tight = ([first, ...others]: readonly Piece[]): Piece[] =>
  first ? [{ ...first, spaced: false }, ...others] : [];

function enclosed(pieces: readonly Piece[]): Piece[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return [];
  return [{ text: '(', at: first.at, spaced: false }, ...tight(pieces), { text: ')', at: last.at, spaced: false }];
}

/** `end` is the end of the original. */
function joined(pieces: readonly Piece[], end: number): Pick<Translation, 'cel' | 'offsetOf'> {
  let cel = '';
  const starts: number[] = [];
  for (const { text, spaced } of pieces) {
    if (spaced) cel += ' ';
    starts.push(cel.length);
    cel += text;
  }
  const offsetOf = (offset: number) => {
    if (offset >= cel.length) return end;
    const index = starts.findLastIndex((start) => start <= offset);
    const [piece, start] = [pieces[index], starts[index] ?? 0];
    return piece ? piece.at + Math.min(offset - start, piece.text.length) : 0;
  };
  return { cel, offsetOf };
}
