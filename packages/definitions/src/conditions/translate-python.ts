/**
 * Translates conditions in Python syntax, which older files use, to CEL. It follows Python's precedence, in which `not` is lower
 * than comparisons: `not a == b` becomes `!(a == b)`. Operators, None, True and False, the names in python-names.ts, get() and
 * all() or any() of a generator are translated, and all other Python is rejected (docs/decisions/0014).
 */
import { maxCharacters } from './limits.ts';
import { enclosed, joined, spacedAs, tight, type Piece } from './pieces.ts';
import { celNameOfCall, isQuantifier, isResultName, isUnneededDefault } from './python-names.ts';
import { closers, endsOperand, isCalculation, peek, skip, take, type Reader } from './python-reader.ts';
import { comparisons, type ConditionFault } from './syntax.ts';
import { isFieldName, isWord, type Token } from './tokens.ts';

export interface Translation {
  cel: string;
  /** Maps an offset in `cel` to the offset in the original. */
  offsetOf: (offset: number) => number;
  faults: ConditionFault[];
}

interface Translated {
  pieces: Piece[];
  /** Whether `!` can precede it without parentheses. */
  whole: boolean;
}

const pythonWords = ['and', 'or', 'not', 'is', 'True', 'False', 'None'];
const celSymbols = new Set(['&&', '||', '!', '?']);
const celWords = ['true', 'false', 'null'];

const findWord = (tokens: readonly Token[], words: readonly string[]) =>
  tokens.find((token, index) => isWord(token, ...words) && !isFieldName(tokens, index));

const findPython = (tokens: readonly Token[]) => {
  const word = findWord(tokens, pythonWords);
  const name = tokens.find((_, index) => celNameOfCall(tokens, index) !== undefined || isResultName(tokens, index));
  return word && name ? (word.start < name.start ? word : name) : (word ?? name);
};

export const isPython = (tokens: readonly Token[]): boolean => findPython(tokens) !== undefined;

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
  const python = findPython(tokens);
  const cel = tokens.find(({ kind, text }) => kind === 'symbol' && celSymbols.has(text)) ?? findWord(tokens, celWords);
  if (!python || !cel) return undefined;
  const [first, second] = python.start < cel.start ? [python, cel] : [cel, python];
  const language = (token: Token) => (token === python ? 'Python' : 'CEL');
  const mixed = `"${second.text}" is ${language(second)} syntax, but "${first.text}" is ${language(first)} syntax.`;
  return { offset: second.start, detail: `${mixed} Use only one${inOther(second.text)}.` };
}

const spellings: readonly (readonly [python: string, cel: string])[] = [
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
];

/** The same word in the other syntax. */
function inOther(text: string): string {
  const pair = spellings.find((both) => both.includes(text));
  return pair === undefined ? '' : `: write ${pair[0] === text ? pair[1] : pair[0]} instead of ${text}`;
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
    if (isCalculation(token)) whole = false;
    pieces.push(...readValue(reader));
  }
  return { pieces, whole };
}

/** An operator, or a name, literal or group with the fields, indices and calls after it. */
function readValue(reader: Reader): Piece[] {
  if (isCalculation(peek(reader))) return [take(reader)];
  let pieces = isQuantifier(reader.tokens, reader.next) ? readQuantifier(reader) : readThrough(reader);
  for (let token = peek(reader); token; token = peek(reader)) {
    if (isWord(reader.tokens[reader.next + 1], 'get') && isMethod(reader)) pieces = readGet(reader, pieces);
    else if (token.text === '.' && isResultName(reader.tokens, reader.next + 1)) reader.next += 2;
    else if (token.text === '.') pieces.push(take(reader), ...(peek(reader)?.kind === 'word' ? [take(reader)] : []));
    else if (token.text === '(' || token.text === '[') pieces.push(...readThrough(reader));
    else return pieces;
  }
  return pieces;
}

const isMethod = ({ tokens, next }: Reader) => tokens[next]?.text === '.' && tokens[next + 2]?.text === '(';

/** One token, or a group up to its closing bracket. */
function readThrough(reader: Reader): Piece[] {
  const first = take(reader);
  return first.text === '(' || first.text === '[' ? [first, ...readGroup(reader)] : [first];
}

/** `x.get('k')` becomes `x['k']`, and `x.get('k', d)` becomes `(has(x['k']) ? x['k'] : d)`. */
function readGet(reader: Reader, of: readonly Piece[]): Piece[] {
  const { at } = skip(reader, '.');
  const get = take(reader);
  skip(reader, '(');
  const key = readLogic(reader).pieces;
  const item = [...of, symbol('[', at), ...tight(key), symbol(']', at)];
  const otherwise = skip(reader, ',').skipped && !skipEmptyMap(reader) ? readLogic(reader).pieces : [];
  if (otherwise.length > 0) skip(reader, ',');
  const closed = skip(reader, ')').skipped;
  if (!closed) readGroup(reader);
  if (!closed || key.length === 0) reader.faults.push({ offset: get.at, detail: getDetail });
  return otherwise.length > 0 ? itemOr(reader, item, otherwise, get.at) : item;
}

const getDetail = ".get() needs a name and at most one default, as in x.get('name') or x.get('name', 0).";

/** Before a field, the default `{}` is not needed, because everything read from null is null. */
function skipEmptyMap(reader: Reader): boolean {
  const unneeded = isUnneededDefault(reader.tokens, reader.next);
  if (unneeded) reader.next += 2;
  return unneeded;
}

function itemOr(reader: Reader, item: readonly Piece[], otherwise: readonly Piece[], at: number): Piece[] {
  // Each get doubles the text before it, so a long chain of them must end here.
  if (item.length > maxCharacters) {
    reader.faults.push({ offset: at, detail: tooLongInCel });
    return [];
  }
  const has = [symbol('has', at), ...enclosed(item)];
  const choice = [...has, spaced('?', at), ...spacedOut(item), spaced(':', at), ...spacedOut(otherwise)];
  return spacedAs(item[0], enclosed(choice));
}

export const tooLongInCel = `the condition has more than ${maxCharacters.toLocaleString('en')} characters in CEL. Split it across several transitions, or set a variable.`;

/** `all(test for x in list)` becomes `list.all(x, test)`, and any becomes exists. */
function readQuantifier(reader: Reader): Piece[] {
  const python = peek(reader)?.text;
  const name = take(reader);
  if (reader.inQuantifier) reader.faults.push({ offset: name.at, detail: `${python}() ${nestedDetail}` });
  skip(reader, '(');
  const body = readBody(reader);
  const loop = readLoop(reader);
  if (!loop) {
    readGroup(reader);
    const detail = `${python}() needs one "for", as in ${python}(x > 1 for x in list). Otherwise, write list.${name.text}(x, ...).`;
    reader.faults.push({ offset: name.at, detail });
    return [name];
  }
  const variable = tight([loop.variable]);
  const call = [symbol('.', name.at), tight([name]), symbol('(', name.at), variable, symbol(',', name.at)].flat();
  return spacedAs(name, [...listOf(loop.over), ...call, ...spacedOut(body), symbol(')', name.at)]);
}

/** `for x in list)`, or undefined. */
function readLoop(reader: Reader): { variable: Piece; over: Translated } | undefined {
  if (!skip(reader, 'for').skipped || peek(reader)?.kind !== 'word') return undefined;
  const variable = take(reader);
  if (!skip(reader, 'in').skipped) return undefined;
  const over = readLogic(reader);
  skip(reader, ',');
  return skip(reader, ')').skipped ? { variable, over } : undefined;
}

const nestedDetail = 'cannot be nested in another all() or any(). Chain list.filter(x, ...).all(y, ...) instead.';

function readBody(reader: Reader): Piece[] {
  const outer = reader.inQuantifier ?? false;
  reader.inQuantifier = true;
  const { pieces } = readLogic(reader);
  reader.inQuantifier = outer;
  return pieces;
}

/** A list before a dot. */
const listOf = ({ pieces, whole }: Translated) =>
  whole && /^[A-Za-z_[(]/.test(pieces[0]?.text ?? '') ? pieces : enclosed(pieces);

const symbol = (text: string, at: number): Piece => ({ text, at, spaced: false });
const spaced = (text: string, at: number): Piece => ({ text, at, spaced: true });
const spacedOut = (pieces: readonly Piece[]) => spacedAs({ spaced: true }, pieces);

/** Up to and including the closing bracket. */
function readGroup(reader: Reader): Piece[] {
  const pieces: Piece[] = [];
  for (let token = peek(reader); token; token = peek(reader)) {
    if (closers.has(token.text)) return [...pieces, take(reader)];
    const before = reader.next;
    pieces.push(...readLogic(reader).pieces);
    if (endsWithComma(reader)) reader.next += 1;
    else if (reader.next === before || peek(reader)?.text === ',') pieces.push(take(reader));
  }
  return pieces;
}

/** Python allows a comma before the closing bracket, and CEL does not. */
const endsWithComma = ({ tokens, next }: Reader) =>
  tokens[next]?.text === ',' && closers.has(tokens[next + 1]?.text ?? '');
