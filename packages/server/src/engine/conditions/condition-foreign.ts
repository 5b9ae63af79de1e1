/**
 * What people bring along from CEL at large, Python and JavaScript, and conditions do not read: each is refused with the form
 * to write instead. This happens before the parser sees the text, as the parser keeps every name of a function that it meets.
 */
import { suggestion } from '../../nearest-name.ts';
import { comparisons, macroNames, type ConditionFault } from './condition-syntax.ts';
import { functionNames, methodNames } from './condition-functions.ts';
import { isFieldName, type Token } from './condition-tokens.ts';

const signs = new Map([
  ['**', '** is not read: multiply instead, as in x * x.'],
  ['//', '// is not read, as it divides in Python and begins a comment in CEL: write / to divide.'],
  ['=', '= is not read: write == to compare.'],
  [':=', ':= is not read: conditions cannot set names.'],
  ['===', '=== is not read: write ==.'],
  ['!==', '!== is not read: write !=.'],
  ['<>', '<> is not read: write !=.'],
  ['&', '& is not read: write && between two conditions.'],
  ['|', '| is not read: write || between two conditions.'],
  ['^', '^ is not read: write != between two conditions.'],
  ['~', '~ is not read: write ! before a condition.'],
  ['<<', '<< is not read: conditions do not shift bits.'],
  ['>>', '>> is not read: conditions do not shift bits.'],
  ['#', '# is not read: conditions have no comments.'],
  ['{', 'maps and sets ({ }) are not read: write a list, as in x in [1, 2].'],
]);

const words = new Map([
  ['if', '"a if b else c" is not read: write b ? a : c.'],
  [
    'for',
    'comprehensions are not read: write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).',
  ],
  [
    'lambda',
    'lambda is not read: write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).',
  ],
  ['undefined', 'undefined is not read: what is missing is null.'],
]);

const asItIs = 'leave it out, as values are compared as they are';
const calls = new Map([
  ['len', 'write size(x)'],
  ['length', 'write size(x)'],
  ['get', "write x['name'], which is null where the name is missing"],
  ['lower', 'write x.lowerAscii()'],
  ['toLowerCase', 'write x.lowerAscii()'],
  ['upper', 'write x.upperAscii()'],
  ['toUpperCase', 'write x.upperAscii()'],
  ['startswith', 'write x.startsWith(y)'],
  ['endswith', 'write x.endsWith(y)'],
  ['includes', 'write x.contains(y) for text, y in x for lists'],
  ['any', 'write list.exists(x, ...)'],
  ['all', 'write list.all(x, ...)'],
  ['exists', 'write list.exists(x, ...)'],
  ['filter', 'write list.filter(x, ...)'],
  ['map', 'write list.map(x, ...)'],
  ['exists_one', 'write size(list.filter(x, ...)) == 1'],
  ['has', 'write has(x.name)'],
  ['keys', 'write name in x'],
  ['matches', 'write x.contains(y), x.startsWith(y) or x.endsWith(y), as patterns are not read'],
  ['isinstance', 'compare the value itself'],
  ['type', 'compare the value itself'],
  ['now', 'write now'],
  ['timestamp', 'compare moments as text'],
  ['duration', 'compare moments as text'],
  ...['str', 'int', 'float', 'bool', 'string', 'double', 'uint', 'dyn'].map((name) => [name, asItIs] as const),
]);

export function foreignFaults(tokens: readonly Token[]): ConditionFault[] {
  const found = tokens.flatMap((token, index) => {
    const detail = foreignDetail(tokens, token, index);
    return detail === undefined ? [] : [{ offset: token.start, detail }];
  });
  return found.length > 0 ? found : chainFaults(tokens);
}

function foreignDetail(tokens: readonly Token[], token: Token, index: number): string | undefined {
  const { kind, text } = token;
  const behindDot = isFieldName(tokens, index);
  if (kind === 'text') return textDetail(token);
  if (kind === 'sign') return signs.get(text) ?? sliceDetail(tokens, token, index);
  if (kind === 'number') return undefined;
  if (tokens[index + 1]?.text === '(' && !operators.has(text)) return callDetail(text, behindDot);
  return behindDot ? undefined : words.get(text);
}

function textDetail({ text }: Token): string | undefined {
  const letters = /^[a-z]*/i.exec(text)?.[0].toLowerCase() ?? '';
  if (letters.includes('f')) return "f'...' is not read: join texts with +.";
  if (letters.includes('b')) return "b'...' is not read: write the text without b.";
  return letters === 'u' ? "u'...' is not read: write the text without u." : undefined;
}

/** `x[1:2]`: a colon with no question mark before it in the same brackets. */
function sliceDetail(tokens: readonly Token[], { text }: Token, index: number): string | undefined {
  if (text !== ':') return undefined;
  let depth = 0;
  for (let i = index - 1; i >= 0 && depth >= 0; i--) {
    const before = tokens[i]?.text ?? '';
    if (depth === 0 && before === '?') return undefined;
    if (before === ')' || before === ']') depth += 1;
    if (before === '(' || before === '[') depth -= 1;
  }
  return 'a colon stands only in a ? b : c; parts of lists and texts (x[1:2]) are not read.';
}

/** Words that may stand before a parenthesis without calling anything. */
const operators = new Set(['and', 'or', 'not', 'is', 'in', 'if', 'else', 'for', 'lambda', 'True', 'False', 'None']);

function callDetail(name: string, method: boolean): string | undefined {
  const known = method ? [...methodNames, ...macroNames] : [...functionNames, 'has'];
  if (known.includes(name)) return undefined;
  const written = method ? `.${name}()` : `${name}()`;
  const advice = !method && methodNames.includes(name) ? `write x.${name}(...)` : calls.get(name);
  return `${written} is not read: ${advice === undefined ? suggestion(name, known) : `${advice}.`}`;
}

const boundaries = new Set(['&&', '||', 'and', 'or', '?', ':', ',']);

/**
 * `a < b < c` asks for both in Python, and in CEL compares c with true or false. As nobody means the latter, and the text
 * does not say which was meant, it is refused in both spellings.
 */
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
  'two comparisons in a row are not read: join them, as in a < b && b < c, or put one in parentheses.';
