/**
 * Rejects syntax of full CEL, Python and JavaScript that conditions do not support, and suggests what to write instead. This runs
 * before the parser, because the parser keeps the name of every function that it encounters.
 */
import { suggestion } from '@milepost/api';
import { comparisons, macroNames, type ConditionFault } from './syntax.ts';
import { functionNames, methodNames } from './functions.ts';
import { celNameOfCall, enclosingQuantifier, isEmptyDefault, isUnneededDefault } from './python-names.ts';
import { replacements, type Replacements } from './replacements.ts';
import { enclosingBracket, isFieldName, isWord, type Token } from './tokens.ts';
import { isPython } from './translate-python.ts';

export function unsupportedFaults(tokens: readonly Token[]): ConditionFault[] {
  const advice = replacements[isPython(tokens) ? 'python' : 'cel'];
  const found = tokens.flatMap((token, index) => {
    const detail = foreignDetail(tokens, token, index, advice);
    return detail === undefined ? [] : [{ offset: token.start, detail }];
  });
  return found.length > 0 ? found : chainFaults(tokens, advice.chain);
}

function foreignDetail(tokens: readonly Token[], token: Token, index: number, advice: Replacements) {
  const { kind, text } = token;
  const afterDot = isFieldName(tokens, index);
  if (kind === 'text') return textDetail(token);
  if (kind === 'symbol') return symbolDetail(tokens, token, index, advice);
  if (kind === 'number' || celNameOfCall(tokens, index) !== undefined) return undefined;
  if (tokens[index + 1]?.text === '(' && !operators.has(text)) return callDetail(text, afterDot, advice);
  return afterDot ? undefined : wordDetail(tokens, token, index, advice);
}

function symbolDetail(tokens: readonly Token[], token: Token, index: number, { symbols }: Replacements) {
  if (isUnneededDefault(tokens, index)) return undefined;
  if (isEmptyDefault(tokens, index)) return defaultDetail;
  return symbols.get(token.text) ?? tupleDetail(tokens, token, index) ?? sliceDetail(tokens, token, index);
}

/** Null cannot replace an empty map after `in` or in len(), but an empty list can. */
const defaultDetail =
  'the default {} is supported only before a field. Leave out the default, or write [] for in, len, all and any.';

/** Detects `(1, 2)`: a comma in parentheses that are not those of a call. */
function tupleDetail(tokens: readonly Token[], { text }: Token, index: number): string | undefined {
  if (text !== ',') return undefined;
  const bracket = enclosingBracket(tokens, index);
  const before = tokens[bracket - 1];
  const isCall =
    before?.text === ')' || before?.text === ']' || (before?.kind === 'word' && !operators.has(before.text));
  if (tokens[bracket]?.text !== '(' || isCall) return undefined;
  return `tuples are not supported. ${tupleAdvice(tokens, bracket)}`;
}

function tupleAdvice(tokens: readonly Token[], bracket: number): string {
  const [name, before] = [tokens[bracket - 2], tokens[bracket - 1]];
  if (isWord(before, 'for')) return 'Write one name, as in all(x[0] == x[1] for x in list).';
  const or = isWord(name, 'startswith', 'endswith') ? 'or' : '||';
  const isSearch = before?.text === '(' && isWord(name, 'startswith', 'endswith', 'startsWith', 'endsWith');
  return isSearch ? `Write x.${name?.text}('a') ${or} x.${name?.text}('b').` : listAdvice(tokens, bracket);
}

/** The tuple as a list, if it is short. */
function listAdvice(tokens: readonly Token[], bracket: number): string {
  const inside = tokens.slice(bracket + 1, bracket + 1 + 2 * maxListed);
  const end = inside.findIndex(({ text }) => text === ')');
  const items = inside.slice(0, end).filter(({ text }) => text !== ',');
  const isShort = end > 0 && items.every(({ kind }) => kind !== 'symbol');
  return isShort ? `Write [${items.map(({ text }) => text).join(', ')}].` : "Write a list, as in x in ['a', 'b'].";
}

const maxListed = 10;

/** A quantifier can have one `for`. */
function wordDetail(tokens: readonly Token[], { text }: Token, index: number, { words }: Replacements) {
  const detail = words.get(text);
  const quantifier = detail === undefined ? undefined : enclosingQuantifier(tokens, index);
  if (quantifier === undefined) return detail;
  const repeated = hasFor(tokens.slice(quantifier + 2, index));
  if (text === 'for' && !repeated) return undefined;
  return text === 'if' && repeated ? filterDetail : detail;
}

/** Whether there is a `for` outside of brackets. */
function hasFor(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.some((token) => {
    if (token.text === '(' || token.text === '[') depth += 1;
    if (token.text === ')' || token.text === ']') depth -= 1;
    return depth === 0 && isWord(token, 'for');
  });
}

const filterDetail =
  '"if" after "for" is not supported. Write list.filter(x, ...).all(y, ...) or list.filter(x, ...).exists(y, ...).';

function textDetail({ text }: Token): string | undefined {
  const letters = /^[a-z]*/i.exec(text)?.[0].toLowerCase() ?? '';
  if (letters.includes('f')) return "f'...' is not supported. Join text with +.";
  if (letters.includes('b')) return "b'...' is not supported. Write the text without b.";
  return letters === 'u' ? "u'...' is not supported. Write the text without u." : undefined;
}

/** Detects `x[1:2]`: a colon without a question mark before it in the same brackets. */
function sliceDetail(tokens: readonly Token[], { text }: Token, index: number): string | undefined {
  if (text !== ':') return undefined;
  let depth = 0;
  for (let i = index - 1; i >= 0 && depth >= 0; i--) {
    const before = tokens[i]?.text ?? '';
    if (depth === 0 && before === '?') return undefined;
    if (before === ')' || before === ']') depth += 1;
    if (before === '(' || before === '[') depth -= 1;
  }
  return 'a colon is allowed only in "a ? b : c". Slices (x[1:2]) are not supported.';
}

/** Words before a parenthesis that are not calls. */
const operators = new Set(['and', 'or', 'not', 'is', 'in', 'if', 'else', 'for', 'lambda', 'True', 'False', 'None']);

function callDetail(name: string, method: boolean, { calls }: Replacements): string | undefined {
  const known = method ? [...methodNames, ...macroNames] : [...functionNames, 'has'];
  if (known.includes(name)) return undefined;
  const written = method ? `.${name}()` : `${name}()`;
  const advice = !method && methodNames.includes(name) ? `Write x.${name}(...)` : calls.get(name);
  return `${written} is not supported. ${advice === undefined ? suggestion(name, known) : `${advice}.`}`;
}

const boundaries = new Set(['&&', '||', 'and', 'or', 'for', '?', ':', ',']);

/** `a < b < c` means both comparisons in Python, but compares c with true or false in CEL. It is rejected in both syntaxes. */
function chainFaults(tokens: readonly Token[], detail: string): ConditionFault[] {
  const faults: ConditionFault[] = [];
  const counts = [0];
  tokens.forEach(({ text, kind, start }, index) => {
    const last = counts.length - 1;
    if (kind === 'text' || isFieldName(tokens, index)) return;
    if (text === '(' || text === '[') counts.push(0);
    else if ((text === ')' || text === ']') && last > 0) counts.pop();
    else if (boundaries.has(text)) counts[last] = 0;
    else if (comparisons.has(text) || text === 'is') {
      counts[last] = (counts[last] ?? 0) + 1;
      if (counts[last] === 2) faults.push({ offset: start, detail });
    }
  });
  return faults;
}
