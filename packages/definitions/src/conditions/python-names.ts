/**
 * The functions and fields that Python spells differently from CEL. A condition that uses one of them is read as Python, so none
 * of them can be a function of CEL conditions.
 */
import { enclosingBracket, isFieldName, isWord, type Token } from './tokens.ts';

const methods: ReadonlyMap<string, string> = new Map([
  ['startswith', 'startsWith'],
  ['endswith', 'endsWith'],
  ['lower', 'lowerAscii'],
  ['upper', 'upperAscii'],
  ['strip', 'trim'],
  ['get', 'get'],
]);
const functions: ReadonlyMap<string, string> = new Map([
  ['len', 'size'],
  ['all', 'all'],
  ['any', 'exists'],
]);

/** The CEL name of a Python function that is called here. */
export function celNameOfCall(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word' || tokens[index + 1]?.text !== '(') return undefined;
  return (isFieldName(tokens, index) ? methods : functions).get(token.text);
}

/** Whether this is the default `{}` of get(). */
export const isEmptyDefault = (tokens: readonly Token[], index: number) =>
  [',', '{', '}', ')'].every((text, at) => tokens[index - 1 + at]?.text === text) &&
  isWord(tokens[enclosingBracket(tokens, index) - 1], 'get') &&
  isFieldName(tokens, enclosingBracket(tokens, index) - 1);

/** Whether a field is read from the default `{}`, as in `x.get('a', {}).get('b')` and `x.get('a', {})['b']`. */
export const isUnneededDefault = (tokens: readonly Token[], index: number) =>
  isEmptyDefault(tokens, index) && ['.', '['].includes(tokens[index + 3]?.text ?? '');

/** Whether `all(` or `any(` starts here. */
export const isQuantifier = (tokens: readonly Token[], index: number) =>
  isWord(tokens[index], 'all', 'any') && !isFieldName(tokens, index) && tokens[index + 1]?.text === '(';

/** The index of the `all` or `any` in whose parentheses the token is, without other brackets between them. */
export function enclosingQuantifier(tokens: readonly Token[], index: number): number | undefined {
  const word = enclosingBracket(tokens, index) - 1;
  return isQuantifier(tokens, word) ? word : undefined;
}

/**
 * Whether this is the last word of `callbacks['x'].result.name`. In Python, a result was an enumeration with names and values,
 * which were the same. Any other `result` is JSON and can have such a field.
 */
export function isResultName(tokens: readonly Token[], index: number): boolean {
  if (!isWord(tokens[index], 'name', 'value') || tokens[index + 1]?.text === '(') return false;
  const isOfResult = isFieldName(tokens, index) && isWord(tokens[index - 2], 'result');
  return isOfResult && isFieldName(tokens, index - 2) && endsCallback(tokens, index - 4);
}

/** Whether `callbacks.x`, `callbacks['x']` or `callbacks.get('x')` ends here. */
function endsCallback(tokens: readonly Token[], index: number): boolean {
  const last = tokens[index];
  if (last?.kind === 'word') return isFieldName(tokens, index) && isCallbacks(tokens, index - 2);
  const bracket = enclosingBracket(tokens, index);
  if (last?.text === ']') return isCallbacks(tokens, bracket - 1);
  return isWord(tokens[bracket - 1], 'get') && isFieldName(tokens, bracket - 1) && isCallbacks(tokens, bracket - 3);
}

const isCallbacks = (tokens: readonly Token[], index: number) =>
  isWord(tokens[index], 'callbacks') && !isFieldName(tokens, index);
