/**
 * Rejects syntax of full CEL, Python and JavaScript that conditions do not support, and suggests what to write instead. This runs
 * before the parser, because the parser keeps the name of every function that it encounters.
 */
import { suggestion } from '@milepost/api';
import { comparisons, macroNames, type ConditionFault } from './syntax.ts';
import { functionNames, methodNames } from './functions.ts';
import { celNameOfCall, enclosingQuantifier } from './python-names.ts';
import { enclosingBracket, isFieldName, isWord, type Token } from './tokens.ts';

const symbols = new Map([
  ['**', '** is not supported. Multiply instead, as in x * x.'],
  ['//', '// is not supported, because it divides in Python and starts a comment in CEL. Write / to divide.'],
  ['=', '= is not supported. Write == to compare.'],
  [':=', ':= is not supported. Conditions cannot assign values.'],
  ['===', '=== is not supported. Write ==.'],
  ['!==', '!== is not supported. Write !=.'],
  ['<>', '<> is not supported. Write !=.'],
  ['&', '& is not supported. Write && between two conditions.'],
  ['|', '| is not supported. Write || between two conditions.'],
  ['^', '^ is not supported. Write != between two conditions.'],
  ['~', '~ is not supported. Write ! before a condition.'],
  ['<<', '<< is not supported. Conditions cannot shift bits.'],
  ['>>', '>> is not supported. Conditions cannot shift bits.'],
  ['#', '# is not supported. Conditions cannot contain comments.'],
  ['{', 'maps and sets ({ }) are not supported. Write a list, as in x in [1, 2].'],
]);

const macroAdvice = 'Write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).';
const words = new Map([
  ['if', '"a if b else c" is not supported. Write b ? a : c.'],
  ['for', `comprehensions are not supported. ${macroAdvice}`],
  ['lambda', `lambda is not supported. ${macroAdvice}`],
  ['undefined', 'undefined is not supported. Missing values are null.'],
]);

const noConversion = 'Leave it out, because values are compared without conversion';
const searchAdvice = 'Write x.contains(y), x.startsWith(y) or x.endsWith(y)';
const calls = new Map([
  ['len', 'Write size(x)'],
  ['length', 'Write size(x)'],
  ['get', "Write x['name'], which is null if the name is missing"],
  ['getattr', "Write x['name'], which is null if the name is missing"],
  ['hasattr', 'Write has(x.name)'],
  ...['lower', 'toLowerCase', 'casefold'].map((name) => [name, 'Write x.lowerAscii()'] as const),
  ...['upper', 'toUpperCase', 'title', 'capitalize'].map((name) => [name, 'Write x.upperAscii()'] as const),
  ...['strip', 'lstrip', 'rstrip'].map((name) => [name, 'Write x.trim()'] as const),
  ['startswith', 'Write x.startsWith(y)'],
  ['endswith', 'Write x.endsWith(y)'],
  ['includes', 'Write x.contains(y) for text, y in x for lists'],
  ['any', 'Write list.exists(x, ...)'],
  ['all', 'Write list.all(x, ...)'],
  ['exists', 'Write list.exists(x, ...)'],
  ['filter', 'Write list.filter(x, ...)'],
  ['map', 'Write list.map(x, ...)'],
  ['exists_one', 'Write size(list.filter(x, ...)) == 1'],
  ['has', 'Write has(x.name)'],
  ['keys', 'Write name in x'],
  ...['values', 'items'].map((name) => [name, 'Write map.all(k, ...) with map[k] for the value'] as const),
  ...['sum', 'count'].map((name) => [name, 'Write size(list.filter(x, ...)) to count elements'] as const),
  ...['find', 'index'].map((name) => [name, 'Write x.contains(y)'] as const),
  ...['matches', 'match', 'search', 'fullmatch', 'split', 'replace'].map((name) => [name, searchAdvice] as const),
  ...['set', 'list', 'tuple', 'sorted'].map((name) => [name, 'Write a list, as in [1, 2]'] as const),
  ['abs', 'Write x < 0 ? -x : x'],
  ['min', 'Write a < b ? a : b'],
  ['max', 'Write a > b ? a : b'],
  ['round', 'Write int(x), which drops the fraction'],
  ['int', 'Write int(x)'],
  ...['str', 'string', 'format', 'join'].map((name) => [name, 'Write str(x), and join text with +'] as const),
  ['isinstance', 'Compare the value itself'],
  ['type', 'Compare the value itself'],
  ['now', 'Write now'],
  ['timestamp', 'Compare times as text'],
  ['duration', 'Compare times as text'],
  ...['float', 'bool', 'double', 'uint', 'dyn'].map((name) => [name, noConversion] as const),
]);

export function unsupportedFaults(tokens: readonly Token[]): ConditionFault[] {
  const found = tokens.flatMap((token, index) => {
    const detail = foreignDetail(tokens, token, index);
    return detail === undefined ? [] : [{ offset: token.start, detail }];
  });
  return found.length > 0 ? found : chainFaults(tokens);
}

function foreignDetail(tokens: readonly Token[], token: Token, index: number): string | undefined {
  const { kind, text } = token;
  const afterDot = isFieldName(tokens, index);
  if (kind === 'text') return textDetail(token);
  if (kind === 'symbol') return symbolDetail(tokens, token, index);
  if (kind === 'number' || celNameOfCall(tokens, index) !== undefined) return undefined;
  if (tokens[index + 1]?.text === '(' && !operators.has(text)) return callDetail(text, afterDot);
  return afterDot ? undefined : wordDetail(tokens, token, index);
}

function symbolDetail(tokens: readonly Token[], token: Token, index: number): string | undefined {
  if (token.text === '{' && isDefaultOfGet(tokens, index)) return undefined;
  return symbols.get(token.text) ?? tupleDetail(tokens, token, index) ?? sliceDetail(tokens, token, index);
}

/** `{}` in `x.get('a', {}).get('b')`. */
const isDefaultOfGet = (tokens: readonly Token[], index: number) =>
  [',', '{', '}', ')', '.', 'get', '('].every((text, at) => tokens[index - 1 + at]?.text === text);

/** Detects `(1, 2)`: a comma in parentheses that are not those of a call. */
function tupleDetail(tokens: readonly Token[], { text }: Token, index: number): string | undefined {
  if (text !== ',') return undefined;
  const bracket = enclosingBracket(tokens, index);
  const before = tokens[bracket - 1];
  const isCall =
    before?.text === ')' || before?.text === ']' || (before?.kind === 'word' && !operators.has(before.text));
  if (tokens[bracket]?.text !== '(' || isCall) return undefined;
  return "tuples are not supported. Write a list, as in x in ['a', 'b'].";
}

/** A quantifier can have one `for`. */
function wordDetail(tokens: readonly Token[], { text }: Token, index: number): string | undefined {
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

function callDetail(name: string, method: boolean): string | undefined {
  const known = method ? [...methodNames, ...macroNames] : [...functionNames, 'has'];
  if (known.includes(name)) return undefined;
  const written = method ? `.${name}()` : `${name}()`;
  const advice = !method && methodNames.includes(name) ? `Write x.${name}(...)` : calls.get(name);
  return `${written} is not supported. ${advice === undefined ? suggestion(name, known) : `${advice}.`}`;
}

const boundaries = new Set(['&&', '||', 'and', 'or', 'for', '?', ':', ',']);

/** `a < b < c` means both comparisons in Python, but compares c with true or false in CEL. It is rejected in both syntaxes. */
function chainFaults(tokens: readonly Token[]): ConditionFault[] {
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
      if (counts[last] === 2) faults.push({ offset: start, detail: chainDetail });
    }
  });
  return faults;
}

const chainDetail =
  'chained comparisons are not supported. Join them, as in a < b && b < c, or put one in parentheses.';
