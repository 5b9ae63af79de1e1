/** Syntax of Python, JavaScript and full CEL that conditions do not support. Each error says what to write instead. */
import { describe, expect, it } from 'vitest';
import { readCondition } from './read-condition.ts';

const chained = 'chained comparisons are not supported. Join them, as in a < b && b < c, or put one in parentheses.';
const macros = 'Write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).';
const getDetail = ".get() needs a name and at most one default, as in x.get('name') or x.get('name', 0).";
const defaultDetail =
  'the default {} is supported only before a field. Leave out the default, or write [] for in, len, all and any.';
const noEquivalent =
  "Conditions cannot compute this. Let a callback compute it, set a variable with its variable_map, and write experiment.variables['name'] here.";

describe('readCondition', () => {
  it.each<[string, number, string]>([
    // Syntax of other languages.
    ['1 < 2 < 3', 6, chained],
    ['1 == 1 == true', 7, chained],
    ['1 < 2 < 3 and True', 6, chained.replace('&&', 'and')],
    ['now = 1', 4, '= is not supported. Write == to compare.'],
    ['now === 1', 4, '=== is not supported. Write ==.'],
    ['now <> 1', 4, '<> is not supported. Write !=.'],
    ['true & true', 5, '& is not supported. Write && between two conditions.'],
    ['true | true', 5, '| is not supported. Write || between two conditions.'],
    [
      'true // why',
      5,
      '// is not supported, because it divides in Python and starts a comment in CEL. Write / to divide.',
    ],
    ['True # why', 5, '# is not supported. Conditions cannot contain comments.'],
    ['2 ** 3 == 8', 2, '** is not supported. Multiply instead, as in x * x.'],
    [
      '3 // 2 == 1 and True',
      2,
      '// is not supported, because it divides in Python and starts a comment in CEL. Write / to divide.',
    ],
    [
      'True if now else False',
      5,
      '"a if b else c" is not supported. Write the whole condition in CEL, with b ? a : c.',
    ],
    ['now if now else now', 4, '"a if b else c" is not supported. Write b ? a : c.'],
    ['True & False', 5, '& is not supported. Write and between two conditions.'],
    ['True | False', 5, '| is not supported. Write or between two conditions.'],
    ['~True', 0, '~ is not supported. Write not before a condition.'],
    ['now == undefined or True', 7, 'undefined is not supported. Missing values are None.'],
    ['any([x for x in now])', 7, `comprehensions are not supported. ${macros}`],
    ['any(now)', 0, 'any() needs one "for", as in any(x > 1 for x in list). Otherwise, write list.exists(x, ...).'],
    [
      'all(1 < 2 for (x, y) in [1])',
      16,
      'tuples are not supported. Write one name, as in all(x[0] == x[1] for x in list).',
    ],
    [
      'all(x for x in [1] if x > 1)',
      19,
      '"if" after "for" is not supported. Write list.filter(x, ...).all(y, ...) or list.filter(x, ...).exists(y, ...).',
    ],
    ['all(x == y for x in [1] for y in [2])', 24, `comprehensions are not supported. ${macros}`],
    [
      'all(any(y == x for y in [1]) for x in [2])',
      4,
      'any() cannot be nested in another all() or any(). Chain list.filter(x, ...).all(y, ...) instead.',
    ],
    ['len([x for x in now]) == 1', 7, `comprehensions are not supported. ${macros}`],
    ["now in ('a', 'b')", 11, "tuples are not supported. Write ['a', 'b']."],
    ["now.startswith(('a', 'b'))", 19, "tuples are not supported. Write x.startswith('a') or x.startswith('b')."],
    ["now.endsWith(('a', 'b'))", 17, "tuples are not supported. Write x.endsWith('a') || x.endsWith('b')."],
    ['[x for x in now] == []', 3, `comprehensions are not supported. ${macros}`],
    ['(lambda x: x)', 1, `lambda is not supported. ${macros}`],
    ['now.len() == 1', 4, '.len() is not supported. Write size(x).'],
    ['experiment.variables.get() == 1', 21, getDetail],
    ["experiment.variables.get('a', {}) == 1", 30, defaultDetail],
    ["'b' in experiment.variables.get('a', {})", 37, defaultDetail],
    ["experiment.variables.get('a', 1, 2) == 1", 21, getDetail],
    ["startswith(now, 'a')", 0, 'startswith() is not supported. Write x.startsWith(y).'],
    ["now.strip('a') == now", 0, 'wrong number of arguments. Write x.trim().'],
    ["int('a', 16) == 1", 0, 'wrong number of arguments. Write int(x).'],
    ['int(null) == 1', 0, 'int() needs a number, text, true or false, but null is null.'],
    ["str([1]) == '1'", 0, 'str() needs text, a number, true, false or null, but [1] is a list.'],
    ["now.str() == '1'", 4, '.str() is not supported. Write str(x), and join text with +.'],
    [
      'float(now) > 1',
      0,
      'float() is not supported. Leave it out if x is a number. To convert text with a fraction, set a variable to the number.',
    ],
    [
      'sum([1]) == 1',
      0,
      'sum() is not supported. To count elements, write size(list.filter(x, ...)). To add numbers, set a variable to the sum.',
    ],
    [
      "now.title() == 'A'",
      4,
      '.title() is not supported. There is no equivalent. To ignore case, compare x.lowerAscii().',
    ],
    [
      "now.lstrip() == 'A'",
      4,
      '.lstrip() is not supported. Write x.trim() to remove whitespace at both ends. Otherwise, set a variable.',
    ],
    ["now.replace('a', 'b') == now", 4, `.replace() is not supported. ${noEquivalent}`],
    [
      'all(c == 1 for c in callbacks.values())',
      30,
      '.values() is not supported. Write map.all(k, ...) with map[k] for the value.',
    ],
    ["now.split('T') == 1", 4, `.split() is not supported. ${noEquivalent}`],
    ['abs(1) == 1', 0, 'abs() is not supported. Write x < 0 ? -x : x.'],
    ['abs(1) == 1 or True', 0, 'abs() is not supported. Write the whole condition in CEL, with x < 0 ? -x : x.'],
    [
      'not min(1, 2) == 1',
      4,
      'min() is not supported. Write the whole condition in CEL, with a < b ? a : b. For the elements of a list, set a variable.',
    ],
    ["f'{now}' == 'a'", 0, "f'...' is not supported. Join text with +."],
    ["u'a' == 'a'", 0, "u'...' is not supported. Write the text without u."],
    ['now[1:2] == 1', 5, 'a colon is allowed only in "a ? b : c". Slices (x[1:2]) are not supported.'],
    ['now is True', 4, '"is" can compare only with None. Write == for other values.'],
    ['now is not 3', 4, '"is not" can compare only with None. Write != for other values.'],
    ['now == not True', 7, '"not" has lower precedence than a comparison. Write (not x) here.'],
    ['1 + not True', 4, 'unexpected "not". Write (not x) in parentheses.'],
    ['True and', 8, 'the condition is incomplete.'],
    ['not', 3, 'the condition is incomplete.'],
    ['True and True)', 13, 'unexpected ")".'],
    // CEL and Python syntax mixed.
    ['True && true', 5, '"&&" is CEL syntax, but "True" is Python syntax. Use only one: write and instead of &&.'],
    ['true and now', 5, '"and" is Python syntax, but "true" is CEL syntax. Use only one: write && instead of and.'],
    ['!true or now', 6, '"or" is Python syntax, but "!" is CEL syntax. Use only one: write || instead of or.'],
    [
      'len(now) == 1 && true',
      14,
      '"&&" is CEL syntax, but "len" is Python syntax. Use only one: write and instead of &&.',
    ],
    ['!now.startswith("a")', 5, '"startswith" is Python syntax, but "!" is CEL syntax. Use only one.'],
    [
      "callbacks['a'].result.name == 'success' || true",
      40,
      '"||" is CEL syntax, but "name" is Python syntax. Use only one: write or instead of ||.',
    ],
    ['now is None ? true : false', 12, '"?" is CEL syntax, but "is" is Python syntax. Use only one.'],
  ])('rejects %s at offset %i with the detail %j', (text, offset, detail) => {
    expect(readCondition(text, { kind: 'transition' }).faults[0]).toEqual({ offset, detail });
  });

  it.each([
    ['an invalid get()', "all(experiment.variables.get() == x for x in ['n'])", getDetail],
    ['a get() with three arguments', "all(experiment.variables.get(x, 1, 2) == 1 for x in ['n'])", getDetail],
    ['an all() without "for"', 'len([all(now), 1]) == 2', 'all() needs one "for"'],
  ])('reports only %s, not the expression around it', (_case, text, detail) => {
    const { faults } = readCondition(text, { kind: 'transition' });
    expect(faults.map((fault) => fault.detail)).toEqual([expect.stringContaining(detail)]);
  });
});
