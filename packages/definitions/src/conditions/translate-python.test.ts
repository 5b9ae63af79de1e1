import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { seed } from '../../../api/testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';
import { isPython, translatePython } from './translate-python.ts';
import { tokensOf } from './tokens.ts';

/** Replaces `$a` by the variable a. */
const read = (text: string) => {
  const written = text.replaceAll(/\$(\w+)/g, "experiment.variables['$1']");
  const { condition, faults } = readCondition(written, { kind: 'transition' });
  expect(faults).toEqual([]);
  if (!condition) throw new Error('neither faults nor a condition');
  return condition;
};

const letterFor = (text: string, variables: Record<string, unknown>) => {
  const { holds, decided } = evaluateCondition(read(text), conditionInputs({ variables }));
  if (!decided) return '-';
  return holds ? 'T' : 'F';
};

describe('a condition in Python syntax', () => {
  const inputs = [
    { a: true, b: true, c: true, n: 1, m: 3, s: 'abc', xs: ['abc', 'and'] },
    { a: true, b: false, c: true, n: 2, m: 1, s: 'and', xs: ['abc'] },
    { a: false, b: true, c: false, n: 5, m: 3, s: 'or', xs: ['x', 'or'], z: 0 },
    { a: false, b: false, c: true, n: 1, m: 0, s: 'not a or b', xs: ['abc', 'and'], z: 'given' },
    { a: false, b: false, c: false, n: 0, m: 2.5, s: '', xs: [''] },
    { a: true, b: true, c: false, n: 2, m: 3, s: 'ABC', xs: ['abc', 'and', 'or'], z: false },
  ];
  // One letter for each of the inputs, printed by Python's eval().
  it.each([
    ['$a', 'TTFFFT'],
    ['not $a', 'FFTTTF'],
    ['not not $a', 'TTFFFT'],
    ['$a and $b', 'TFFFFT'],
    ['$a or $b', 'TTTFFT'],
    ['$a or $b and $c', 'TTFFFT'],
    ['($a or $b) and $c', 'TTFFFF'],
    ['$a and $b or $c', 'TTFTFT'],
    ['not $a and $b', 'FFTFFF'],
    ['not ($a and $b)', 'FTTTTF'],
    ['not $a or $b', 'TFTTTT'],
    ['not ($a or $b)', 'FFFTTF'],
    ['$a or $b and not $c', 'TTTFFT'],
    ['not $a and not $b and not $c', 'FFFFTF'],
    ['not $a == $b', 'FTTFFF'],
    ['(not $a) == $b', 'FTTFFF'],
    ['$a == (not $b)', 'FTTFFF'],
    ['$a != (not $b)', 'TFFTTT'],
    ['not $a != $b', 'TFFTTT'],
    ['not ($a == $b) or $c', 'TTTTFF'],
    ['$a == $b and $b == $c', 'TFFFTF'],
    ['$a == $b or $b == $c', 'TFFTTT'],
    ['$a == True', 'TTFFFT'],
    ['$a != True', 'FFTTTF'],
    ['not $a == True', 'FFTTTF'],
    ['$a == False or $b == False', 'FTTTTF'],
    ['True', 'TTTTTT'],
    ['False', 'FFFFFF'],
    ['not False', 'TTTTTT'],
    ['True and $a', 'TTFFFT'],
    ['False or $a', 'TTFFFT'],
    ['$n == 1', 'TFFTFF'],
    ['not $n == 1', 'FTTFTT'],
    ['$n < 2 and $n >= 0', 'TFFTTF'],
    ['not $n < 2', 'FTTFFT'],
    ['not $n + 1 == 2', 'FTTFTT'],
    ['$n + 1 == 2 or $m * 2 == 6', 'TFTTFT'],
    ['not -$n == 1', 'TTTTTT'],
    ['-$n < 0 and not $m > 2', 'FTFTFF'],
    ['$n in [1, 2, 3]', 'TTFTFT'],
    ['$n not in [1, 2, 3]', 'FFTFTF'],
    ['not $n in [1, 2, 3]', 'FFTFTF'],
    ['not $n not in [1, 2, 3]', 'TTFTFT'],
    ['$n not in [1] and $m not in [3]', 'FTFFTF'],
    ['$n in [1] or $m in [3] and $a', 'TFFTFT'],
    ['not ($n in [1] or $m in [3])', 'FTFFTF'],
    ['$n + 1 not in [2, 3]', 'FFTFTF'],
    ["$s in ['abc', 'and']", 'TTFFFF'],
    ["$s not in ['abc', 'and']", 'FFTTTT'],
    [`$s == 'not a or b' or $s == "and"`, 'FTFTFF'],
    ["not $s == 'abc' and $s != 'or'", 'FTFTTT'],
    ['$s in $xs', 'TFTFTF'],
    ['$s not in $xs', 'FTFTFT'],
    ['not $s in $xs', 'FTFTFT'],
    ['$z is None', 'TTFFTF'],
    ['$z is not None', 'FFTTFT'],
    ['not $z is None', 'FFTTFT'],
    ['not $z is not None', 'TTFFTF'],
    ['$z == None', 'TTFFTF'],
    ['$z != None', 'FFTTFT'],
    ['None == $z', 'TTFFTF'],
    ['$n is None or $n > 1', 'FTTFFT'],
    ['$n is not None and $n > 1', 'FTTFFT'],
    ['$z is None and $a', 'TTFFFF'],
    ['$z is not None or $b', 'TFTTFT'],
    ['not ($z is None or $a) or $b', 'TFTTFT'],
    ['($z is None) == $a', 'TTTTFF'],
    ['$n is not None and not $n in [2] or $a and $b', 'TFTTTT'],
    ['$a and ($b or not $c) and $n == 1', 'TFFFFF'],
    ['$a and not ($b and not ($c or not $a))', 'TTFFFF'],
    ['not not not $a or not not $b', 'TFTTTT'],
    ['[$a, not $b] == [True, False]', 'TFFFFT'],
    ["$xs == ['abc', 'and'] and not $a", 'FFFTFF'],
    ["$xs[0] == 'abc' or not $b", 'TTFTTT'],
    ['$n*2+$m==5 and not $n%2==0', 'TFFFFF'],
    ['($n)in[1,2]and($a)or not($b)', 'TTFTTT'],
    ['$a==True and $b==False or not $c==True', 'FTTFTT'],
    ['not(not $a)and(not(not $b))', 'TFFFFT'],
    ['$n<=2or $n>=5', 'TTTTTT'],
    ['not $n<$m and $a', 'FTFFFF'],
  ])('such as %s evaluates to %s for six inputs, as in Python 3.11', (text, expected) => {
    expect(inputs.map((variables) => letterFor(text, variables)).join('')).toBe(expected);
  });
});

describe('Python syntax', () => {
  it.each([
    ['if a number is used as a truth value', 'not $n', { n: 0 }, '-'],
    ['if a text is used as a truth value', '$s and True', { s: 'x' }, '-'],
    ['if null is used as a truth value', '$z or False', {}, '-'],
    ['if 1 is compared with True', '$n == True', { n: 1 }, 'F'],
    ['in the remainder of a negative number', '$n % 3 == 2 and True', { n: -1 }, 'F'],
    ['if the right operand decides although the left operand fails', '$z > 1 and False', {}, 'F'],
  ])('differs from Python %s', (_case, text, variables, expected) => {
    expect(letterFor(text, variables)).toBe(expected);
  });
});

describe('translatePython', () => {
  it.each([
    ['not a == b', '!(a == b)'],
    ['not a.b[0].c(d)', '!a.b[0].c(d)'],
    ['a  or b\nand not c', 'a || b && !c'],
    ['a not in b', '!(a in b)'],
    ['not a not in b', '!!(a in b)'],
    ['x is not None', 'x != null'],
    ['x == "it\'s not" and y', 'x == "it\'s not" && y'],
    ["x == 'it\\'s and' and y", "x == 'it\\'s and' && y"],
    ['x.is == x.not or y', 'x.is == x.not || y'],
    ['f(a and b, [not c])', 'f(a && b, [!c])'],
    ["a.startswith('x')", "a.startsWith('x')"],
    ["not a.b.endswith('x')", "!a.b.endsWith('x')"],
    ['len(a) > 3', 'size(a) > 3'],
    ['a.lower().strip() == b.upper()', 'a.lowerAscii().trim() == b.upperAscii()'],
    ['str(a).lower() == int(b)', 'str(a).lowerAscii() == int(b)'],
    ["a.get('k')", "a['k']"],
    ["a == b.c.get( 'k' ) + 1", "a == b.c['k'] + 1"],
    ["a.get('k', 0) > 3", "(has(a['k']) ? a['k'] : 0) > 3"],
    ["b or not a.get('k', c and d)", "b || !(has(a['k']) ? a['k'] : c && d)"],
    ["a.get('k', b.get('l', 1))", "(has(a['k']) ? a['k'] : (has(b['l']) ? b['l'] : 1))"],
    ["len(a.get('k', [])) == 1", "size((has(a['k']) ? a['k'] : [])) == 1"],
    ["a.get('k', {}).get('l', 0)", "(has(a['k']['l']) ? a['k']['l'] : 0)"],
    ["a.get('k', {}).get('l')", "a['k']['l']"],
    ["callbacks['a'].result.name == 'success'", "callbacks['a'].result == 'success'"],
    ["callbacks.a.result.value in ['success']", "callbacks.a.result in ['success']"],
    ["callbacks.get('a').result.name == 'none'", "callbacks['a'].result == 'none'"],
    ['callbacks[a[0]].result.name.lower() == b', 'callbacks[a[0]].result.lowerAscii() == b'],
    ["a.callbacks['a'].result.name is None", "a.callbacks['a'].result.name == null"],
    ["callbacks['a'].result_values.result.name is None", "callbacks['a'].result_values.result.name == null"],
    ["callbacks['a'].result.name.first is None", "callbacks['a'].result.first == null"],
    ['all(x > 1 for x in a.b)', 'a.b.all(x, x > 1)'],
    ['b and any(not x.ok for x in a)', 'b && a.exists(x, !x.ok)'],
    ['all(x for x in a) == any(x in [1, 2] for x in [1])', 'a.all(x, x) == [1].exists(x, x in [1, 2])'],
    ['any(x for x in a or b)', '(a || b).exists(x, x)'],
    ['any(x for x in not a)', '(!a).exists(x, x)'],
    ["any(x for x in a.get('k', []))", "(has(a['k']) ? a['k'] : []).exists(x, x)"],
    ["not all(x['t'].startswith('T1') and len(x) for x in a)", "!a.all(x, x['t'].startsWith('T1') && size(x))"],
    ['xs.exists(x, x is None or x > 1)', 'xs.exists(x, x == null || x > 1)'],
  ])('translates %s to %s', (python, cel) => {
    const { tokens } = tokensOf(python);
    expect(isPython(tokens)).toBe(true);
    expect(translatePython(tokens).cel).toBe(cel);
  });

  it.each([
    "experiment.variables['qc'].result.name == 'a'",
    "callbacks['a'].result_values.result.value == 1",
    "'.startswith(' == 'len(x)'",
    'a.get == b.lower',
    'xs.all(x, x > 1)',
    "int(a) == 1 && str(b) == 'c'",
  ])('is not needed for %s', (text) => {
    expect(isPython(tokensOf(text).tokens)).toBe(false);
  });

  it('is not needed for a condition whose only Python keywords are in quotes', () => {
    expect(isPython(tokensOf("x == 'a is None and not b'").tokens)).toBe(false);
  });

  it('maps every offset back to the Python text', () => {
    const python = "not  experiment.label == 'x'   and subject.lable is not None";
    const { faults } = readCondition(python, { kind: 'transition' });
    expect(faults.map(({ offset }) => python.slice(offset, offset + 5))).toEqual(['lable']);
  });
});

/** The code in a cell of a table. */
const codes = (cell: string) => Array.from(cell.replaceAll('\\|', '|').matchAll(/`([^`]+)`/g), ([, code = '']) => code);

describe('docs/reference/conditions.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/conditions.md', import.meta.url), 'utf8');
  const section = page.split('\n## Python syntax\n')[1]?.split('\n## ')[0] ?? '';
  const rows = Array.from(section.matchAll(/^\| (`.*`) \| (`.*`) \|$/gm), ([, written = '', cel = '']) => [
    written,
    cel,
  ]);

  it('lists the translation of each form', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const [written = '', cel = ''] of rows) {
      const translated = codes(written).map((python) => translatePython(tokensOf(python).tokens).cel);
      expect([...new Set(translated)]).toEqual(codes(cel));
    }
  });
});

describe('a random condition', () => {
  type Tree =
    | { is: 'variable'; name: string }
    | { is: 'compare'; left: string; operator: '==' | '!=' | 'in' | 'not in'; right: string }
    | { is: 'none'; name: string; not: boolean }
    | { is: 'not'; of: Tree }
    | { is: 'and' | 'or'; left: Tree; right: Tree };

  const flag = fc.constantFrom('a', 'b', 'c');
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.record({ is: fc.constant('variable'), name: flag }),
      fc.record({
        is: fc.constant('compare'),
        left: flag,
        operator: fc.constantFrom('==', '!=', 'in', 'not in'),
        right: flag,
      }),
      fc.record({ is: fc.constant('none'), name: fc.constantFrom('a', 'z'), not: fc.boolean() }),
      fc.record({ is: fc.constant('not'), of: tie('tree') }),
      fc.record({ is: fc.constantFrom('and', 'or'), left: tie('tree'), right: tie('tree') }),
    ),
  }));

  const precedences = { or: 1, and: 2, not: 3, compare: 4, none: 4, variable: 5 };
  const printed = (node: Tree, least: number): string => {
    const text = printers[node.is](node as never);
    return precedences[node.is] < least ? `(${text})` : text;
  };
  const printers = {
    variable: ({ name }: { name: string }) => `$${name}`,
    compare: ({ left, operator, right }: { left: string; operator: string; right: string }) =>
      `$${left} ${operator} ${operator.endsWith('in') ? `[$${right}, 1]` : `$${right}`}`,
    none: ({ name, not }: { name: string; not: boolean }) => `$${name} is ${not ? 'not ' : ''}None`,
    not: ({ of }: { of: Tree }) => `not ${printed(of, 3)}`,
    and: ({ left, right }: { left: Tree; right: Tree }) => `${printed(left, 2)} and ${printed(right, 2)}`,
    or: ({ left, right }: { left: Tree; right: Tree }) => `${printed(left, 1)} or ${printed(right, 1)}`,
  };

  const truth = (node: Tree, values: Record<string, boolean>): boolean => {
    if (node.is === 'variable') return values[node.name] === true;
    if (node.is === 'none') return !(node.name in values) !== node.not;
    if (node.is === 'not') return !truth(node.of, values);
    if (node.is === 'compare') {
      const equal = values[node.left] === values[node.right];
      return equal === (node.operator === '==' || node.operator === 'in');
    }
    const [left, right] = [truth(node.left, values), truth(node.right, values)];
    return node.is === 'and' ? left && right : left || right;
  };

  it('has the expected result when written in Python with as few parentheses as possible', () => {
    const values = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() });
    fc.assert(
      fc.property(tree, values, (node, variables) => {
        const python = printed(node, 1);
        // Larger conditions can exceed the limit of 200 parts.
        fc.pre(python.split('$').length <= 30);
        expect(letterFor(python, variables)).toBe(truth(node, variables) ? 'T' : 'F');
      }),
      { numRuns: 1_000, seed },
    );
  });
});
