/**
 * What to write instead of syntax that conditions do not support. A suggestion for a condition in Python syntax contains no CEL
 * operators, because a condition cannot mix both.
 */
export interface Replacements {
  symbols: ReadonlyMap<string, string>;
  words: ReadonlyMap<string, string>;
  /** By the name of the function. */
  calls: ReadonlyMap<string, string>;
  /** For `a < b < c`. */
  chain: string;
}

const inCel = {
  and: '&&',
  or: '||',
  not: '!',
  null: 'null',
  choice: (text: string) => `Write ${text}`,
};

const inPython: typeof inCel = {
  and: 'and',
  or: 'or',
  not: 'not',
  null: 'None',
  choice: (text) => `Write the whole condition in CEL, with ${text}`,
};

const symbolsIn = ({ and, or, not }: typeof inCel) =>
  new Map([
    ['**', '** is not supported. Multiply instead, as in x * x.'],
    ['//', '// is not supported, because it divides in Python and starts a comment in CEL. Write / to divide.'],
    ['=', '= is not supported. Write == to compare.'],
    [':=', ':= is not supported. Conditions cannot assign values.'],
    ['===', '=== is not supported. Write ==.'],
    ['!==', '!== is not supported. Write !=.'],
    ['<>', '<> is not supported. Write !=.'],
    ['&', `& is not supported. Write ${and} between two conditions.`],
    ['|', `| is not supported. Write ${or} between two conditions.`],
    ['^', '^ is not supported. Write != between two conditions.'],
    ['~', `~ is not supported. Write ${not} before a condition.`],
    ['<<', '<< is not supported. Conditions cannot shift bits.'],
    ['>>', '>> is not supported. Conditions cannot shift bits.'],
    ['#', '# is not supported. Conditions cannot contain comments.'],
    ['{', 'maps and sets ({ }) are not supported. Write a list, as in x in [1, 2].'],
  ]);

const macroAdvice = 'Write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).';

const wordsIn = (syntax: typeof inCel) =>
  new Map([
    ['if', `"a if b else c" is not supported. ${syntax.choice('b ? a : c')}.`],
    ['for', `comprehensions are not supported. ${macroAdvice}`],
    ['lambda', `lambda is not supported. ${macroAdvice}`],
    ['undefined', `undefined is not supported. Missing values are ${syntax.null}.`],
  ]);

const itemAdvice = "Write x['name'], which is null if the name is missing";
const searchAdvice = 'Write x.contains(y), x.startsWith(y) or x.endsWith(y)';
const noEquivalent =
  'Conditions cannot compute this. Let a callback compute it, set a variable with its variable_map, and write ' +
  "experiment.variables['name'] here";
const numberAdvice = 'Leave it out if x is a number. To convert text with a fraction, set a variable to the number';

const each = (names: readonly string[], advice: string) => names.map((name) => [name, advice] as const);

const callsIn = (syntax: typeof inCel) =>
  new Map([
    ...each(['len', 'length'], 'Write size(x)'),
    ...each(['get', 'getattr'], itemAdvice),
    ...each(['hasattr', 'has'], 'Write has(x.name)'),
    ...each(['lower', 'toLowerCase', 'casefold'], 'Write x.lowerAscii()'),
    ...each(['upper', 'toUpperCase'], 'Write x.upperAscii()'),
    ...each(['title', 'capitalize'], 'There is no equivalent. To ignore case, compare x.lowerAscii()'),
    ['strip', 'Write x.trim()'],
    ...each(['lstrip', 'rstrip'], 'Write x.trim() to remove whitespace at both ends. Otherwise, set a variable'),
    ['startswith', 'Write x.startsWith(y)'],
    ['endswith', 'Write x.endsWith(y)'],
    ['includes', 'Write x.contains(y) for text, y in x for lists'],
    ...each(['any', 'exists'], 'Write list.exists(x, ...)'),
    ['all', 'Write list.all(x, ...)'],
    ['filter', 'Write list.filter(x, ...)'],
    ['map', 'Write list.map(x, ...)'],
    ['exists_one', 'Write size(list.filter(x, ...)) == 1'],
    ['keys', 'Write name in x'],
    ...each(['values', 'items'], 'Write map.all(k, ...) with map[k] for the value'),
    ['count', 'Write size(list.filter(x, ...)) to count elements'],
    ['sum', 'To count elements, write size(list.filter(x, ...)). To add numbers, set a variable to the sum'],
    ...each(['find', 'index'], 'Write x.contains(y)'),
    ...each(['matches', 'match', 'search', 'fullmatch'], searchAdvice),
    ...each(['split', 'replace', 'sorted'], noEquivalent),
    ...each(['set', 'list', 'tuple'], 'Write a list, as in [1, 2]'),
    ['abs', syntax.choice('x < 0 ? -x : x')],
    ['min', `${syntax.choice('a < b ? a : b')}. For the elements of a list, set a variable`],
    ['max', `${syntax.choice('a > b ? a : b')}. For the elements of a list, set a variable`],
    ['round', 'Write int(x), which drops the fraction'],
    ['int', 'Write int(x)'],
    ...each(['str', 'string', 'format', 'join'], 'Write str(x), and join text with +'),
    ...each(['isinstance', 'type'], 'Compare the value itself'),
    ['now', 'Write now'],
    ...each(['timestamp', 'duration'], 'Compare times as text'),
    ...each(['float', 'double', 'uint'], numberAdvice),
    ['bool', 'Write a comparison, as in x != 0'],
    ['dyn', 'Leave it out'],
  ]);

const replacementsIn = (syntax: typeof inCel): Replacements => ({
  symbols: symbolsIn(syntax),
  words: wordsIn(syntax),
  calls: callsIn(syntax),
  chain: `chained comparisons are not supported. Join them, as in a < b ${syntax.and} b < c, or put one in parentheses.`,
});

export const replacements = { cel: replacementsIn(inCel), python: replacementsIn(inPython) };
