import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../../testing/condition-inputs.ts';
import { seed } from '../../../testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './parse-condition.ts';

const faultsOf = (text: string) =>
  readCondition(text, { kind: 'transition' }).faults.map(({ offset, detail }) => [offset, detail]);

const joining = 'two comparisons in a row are not read: join them, as in a < b && b < c, or put one in parentheses.';
const macros = 'write list.exists(x, ...), list.all(x, ...), list.filter(x, ...) or list.map(x, ...).';

describe('readCondition refuses', () => {
  it.each<[string, number, string]>([
    // Names.
    ['experimnt.label == 1', 0, 'experimnt is not known: did you mean "experiment"?'],
    ['now == now && foo', 14, 'foo is not known: known are: experiment, subject, cohort, callbacks, now.'],
    ['experiment.lable == 1', 11, 'experiment.lable is not known: did you mean "label"?'],
    ["experiment['lable'] == 1", 11, 'experiment[\'lable\'] is not known: did you mean "label"?'],
    ['subject.state == 1', 8, 'subject.state is not known: known are: label, external_ids.'],
    ["callbacks['a'].resul == 1", 15, 'callbacks[\'a\'].resul is not known: did you mean "result"?'],
    [
      'experiment.constructor == 1',
      11,
      'experiment.constructor is not known: known are: label, scandate, state, variables, external_ids.',
    ],
    ['constructor == 1', 0, 'constructor is not known: known are: experiment, subject, cohort, callbacks, now.'],
    ['experiment.label.size == 1', 17, 'experiment.label is text and has no field "size".'],
    ['cohort == null', 0, 'cohort is no value by itself: read cohort.label.'],
    ['experiment[now] == 1', 11, 'experiment is read by name: label, scandate, state, variables, external_ids.'],
    ['experiment.variables[1] == 1', 21, 'experiment.variables is read by text, not by a number.'],
    ['now[0] == 1', 0, 'now is text and cannot be read with [ ].'],
    ['experiment.variables.xs.all(y, x == 1)', 31, 'x is not known: did you mean "y"?'],
    // Kinds that can never fit.
    ['experiment.label', 0, 'the condition gives text, and never true or false.'],
    ['1 + 2', 0, 'the condition gives a number, and never true or false.'],
    ['null', 0, 'the condition gives null, and never true or false.'],
    ["true && 'yes'", 0, "'yes' is text, and && needs true or false."],
    ['!subject.label', 0, 'subject.label is text, and ! needs true or false.'],
    ['now ? true : false', 0, 'now is text, and ? : needs true or false.'],
    ['now > 3', 0, 'cannot compare text with a number by >.'],
    ['experiment.variables.n < null', 0, 'cannot compare any value with null by <.'],
    [
      "'e' in experiment.label",
      0,
      "in looks into lists and maps, and experiment.label is text: for text write experiment.label.contains('e').",
    ],
    ['1 in 2 || true', 0, 'in looks into lists and maps, and 2 is a number.'],
    ["now + 1 == 'a'", 0, 'cannot calculate text + a number.'],
    ['now * 2 == 1', 0, 'cannot calculate text * a number.'],
    ['-now == 1', 0, 'now is text, and - needs a number.'],
    ['size(1) == 1', 0, '1 is a number, and size needs text or a list or a map.'],
    ['now.contains(1)', 0, '1 is a number, and contains needs text.'],
    ['now.all(x, true)', 0, 'now is text, and all needs a list or a map.'],
    ['[1].all(x, 1)', 11, '1 is a number, and all needs true or false.'],
    // Macros and functions.
    [
      '[1].all(x, [x].exists(y, true))',
      11,
      'exists() stands inside another all, exists, filter or map: only one level is read.',
    ],
    ['[1].all(now, true)', 0, 'now has a meaning already: choose another name.'],
    ['[1].all(1, true)', 8, 'a name is needed here, as in list.exists(x, x > 1), not 1.'],
    ['[1].all(x)', 0, 'all() takes a name and what is asked of it, as in list.all(x, x > 1).'],
    ['[1].map(x, true, x) == []', 0, 'map() takes a name and what is asked of it, as in list.map(x, x > 1).'],
    ['has(now)', 0, "has() asks for one field, as in has(experiment.variables['usable'])."],
    ["now.contains('a', 'b')", 0, 'contains is written as x.contains(y).'],
    ['size() == 1', 0, 'size is written as size(x).'],
    [
      "now.matches('a')",
      4,
      '.matches() is not read: write x.contains(y), x.startsWith(y) or x.endsWith(y), as patterns are not read.',
    ],
    ['[1].exists_one(x, true)', 4, '.exists_one() is not read: write size(list.filter(x, ...)) == 1.'],
    ['contains(now)', 0, 'contains() is not read: write x.contains(...).'],
    ['now.has(x)', 4, '.has() is not read: write has(x.name).'],
    ["now.contians('a')", 4, '.contians() is not read: did you mean "contains"?'],
    ['foo(1)', 0, 'foo() is not read: known are: size, has.'],
    ['timestamp(now) == 1', 0, 'timestamp() is not read: compare moments as text.'],
    [
      'cel.bind(x, 1, x)',
      4,
      '.bind() is not read: known are: contains, startsWith, endsWith, lowerAscii, upperAscii, size, all, exists, filter, map.',
    ],
    // Literals.
    ["b'a' == 1", 0, "b'...' is not read: write the text without b."],
    ['1u == 1', 0, 'write the number without u.'],
    ['9007199254740993 == 1', 0, 'whole numbers are exact up to 9007199254740991, and this one is larger.'],
    ['1e999 == 1', 0, '1e999 is no number that can be read.'],
    ["{'a': 1} == 1", 0, 'maps and sets ({ }) are not read: write a list, as in x in [1, 2].'],
    ["now == 'a", 7, "this text has no end: a ' is missing."],
    ["now == 'a\nb'", 9, 'the line ends inside a text: close its quotes, or write \\n for a new line.'],
    ["now == 'a\\d'", 9, '\\d is no escape: write \\\\ for a backslash.'],
    ['now == ‘a’', 7, '"‘" cannot be read here: write text between \' or ".'],
    ['now == §', 7, '"§" cannot be read here: put text between quotes.'],
    // Syntax.
    ['now ==', 6, 'the condition ends here, and something is still missing.'],
    ['(true', 5, 'the condition ends here, and something is still missing.'],
    ['true)', 4, '")" cannot stand here.'],
    ['true true', 5, '"true" cannot stand here.'],
    ['  true true', 7, '"true" cannot stand here.'],
    ['package == 1', 0, '"package" is a reserved word of CEL and cannot be a name.'],
    ['size(1,2,3,4) == 1', 11, 'no function takes so many values.'],
    // What other languages know.
    ['1 < 2 < 3', 6, joining],
    ['1 == 1 == true', 7, joining],
    ['1 < 2 < 3 and True', 6, joining],
    ['now = 1', 4, '= is not read: write == to compare.'],
    ['now === 1', 4, '=== is not read: write ==.'],
    ['now <> 1', 4, '<> is not read: write !=.'],
    ['true & true', 5, '& is not read: write && between two conditions.'],
    ['true | true', 5, '| is not read: write || between two conditions.'],
    ['true // why', 5, '// is not read, as it divides in Python and begins a comment in CEL: write / to divide.'],
    ['True # why', 5, '# is not read: conditions have no comments.'],
    ['2 ** 3 == 8', 2, '** is not read: multiply instead, as in x * x.'],
    [
      '3 // 2 == 1 and True',
      2,
      '// is not read, as it divides in Python and begins a comment in CEL: write / to divide.',
    ],
    ['True if now else False', 5, '"a if b else c" is not read: write b ? a : c.'],
    ['any([x for x in now])', 0, 'any() is not read: write list.exists(x, ...).'],
    ['[x for x in now] == []', 3, `comprehensions are not read: ${macros}`],
    ['(lambda x: x)', 1, `lambda is not read: ${macros}`],
    ['len(now) == 1 and True', 0, 'len() is not read: write size(x).'],
    [
      "experiment.variables.get('a') == 1",
      21,
      ".get() is not read: write x['name'], which is null where the name is missing.",
    ],
    ["now.startswith('a') and True", 4, '.startswith() is not read: write x.startsWith(y).'],
    ["now.lower() == 'a'", 4, '.lower() is not read: write x.lowerAscii().'],
    ["str(1) == '1'", 0, 'str() is not read: leave it out, as values are compared as they are.'],
    ["f'{now}' == 'a'", 0, "f'...' is not read: join texts with +."],
    ["u'a' == 'a'", 0, "u'...' is not read: write the text without u."],
    ['now[1:2] == 1', 5, 'a colon stands only in a ? b : c; parts of lists and texts (x[1:2]) are not read.'],
    ['now is True', 4, 'is compares with None only: write == for other values.'],
    ['now is not 3', 4, 'is not compares with None only: write != for other values.'],
    ['now == not True', 7, 'not binds weaker than a comparison: write (not x) here.'],
    ['1 + not True', 4, 'not cannot stand here: write (not x) in parentheses.'],
    ['True and', 8, 'the condition ends here, and something is still missing.'],
    ['not', 3, 'the condition ends here, and something is still missing.'],
    ['True and True)', 13, '")" cannot stand here.'],
    // Both spellings in one.
    ['True && true', 5, '"&&" is CEL\'s spelling and "True" is Python\'s: use one of them throughout.'],
    ['true and now', 5, '"and" is Python\'s spelling and "true" is CEL\'s: use one of them throughout.'],
    ['!true or now', 6, '"or" is Python\'s spelling and "!" is CEL\'s: use one of them throughout.'],
    ['now is None ? true : false', 12, '"?" is CEL\'s spelling and "is" is Python\'s: use one of them throughout.'],
  ])('%s at %i: %s', (text, offset, detail) => {
    expect(faultsOf(text)[0]).toEqual([offset, detail]);
  });

  it('everything at once, in the order of the text', () => {
    const text = "experiment.lable == 1 && subject.foo == 2 || callbacks['x'].reslt == 3 && size(1) == 1 && bar";
    expect(faultsOf(text).map(([offset]) => offset)).toEqual([11, 33, 60, 74, 90]);
    expect(faultsOf('len(a) == 1 and b ** 2 == 4 and c // 2 == 1')).toHaveLength(3);
    expect(faultsOf('foo == 1 || '.repeat(30) + 'foo')).toHaveLength(20);
  });

  it('callbacks in the condition of a callback', () => {
    const text = "now != '' && callbacks['a'].result == 'success'";
    expect(readCondition(text, { kind: 'transition' }).faults).toEqual([]);
    expect(readCondition(text, { kind: 'callback' }).faults).toEqual([
      { offset: 13, detail: "a callback's own condition cannot read callbacks: none has run when it is evaluated." },
    ]);
  });

  it('callbacks that the state does not have, where it is known which it has', () => {
    const callbackLabels = new Set(['check_protocol', 'send']);
    const read = (text: string) => readCondition(text, { kind: 'transition', callbackLabels }).faults;
    expect(read("callbacks['check_protocol'].result == callbacks.send.result")).toEqual([]);
    expect(read("callbacks['chek_protocol'].result == callbacks.gone.result")).toEqual([
      { offset: 10, detail: 'there is no callback "chek_protocol" here: did you mean "check_protocol"?' },
      { offset: 47, detail: 'there is no callback "gone" here: known are: check_protocol, send.' },
    ]);
    expect(read("'chek_protocol' in callbacks")).toEqual([]);
  });
});

const ofLength = (length: number) => `'${'😀'.repeat(length - 9)}' != 'a'`;
const ofNodes = (count: number) => `1 in [${Array.from({ length: count - 3 }, () => '1').join(',')}]`;
const ofLevels = (count: number) => `${'('.repeat(count - 1)}true${')'.repeat(count - 1)}`;

describe('a condition is held to', () => {
  it('1,000 characters', () => {
    expect(faultsOf(ofLength(1_000))).toEqual([]);
    expect(faultsOf(ofLength(1_001))).toEqual([[0, 'the condition has more than 1,000 characters.']]);
    expect(faultsOf(' '.repeat(5_000))).toEqual([]);
  });

  it('200 nodes', () => {
    expect(faultsOf(ofNodes(200))).toEqual([]);
    expect(faultsOf(ofNodes(201))).toEqual([
      [0, 'the condition has more than 200 parts: split it over several transitions, or set a variable.'],
    ]);
  });

  it('64 levels', () => {
    expect(faultsOf(ofLevels(64))).toEqual([]);
    expect(faultsOf(ofLevels(65))).toEqual([[64, 'the condition is nested deeper than 64 levels.']]);
  });
});

describe('docs/reference/conditions.md', () => {
  const page = readFileSync(new URL('../../../../../docs/reference/conditions.md', import.meta.url), 'utf8');
  const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const examples = Array.from(section('Examples').matchAll(/^\| `([^`]+)`/gm), ([, text = '']) =>
    text.replaceAll('\\|', '|'),
  );

  it('has examples that can be read', () => {
    expect(examples.length).toBeGreaterThan(5);
    for (const text of examples) expect([text, faultsOf(text)]).toEqual([text, []]);
  });
});

describe('what is read', () => {
  it('cannot be changed, and survives being sent to a thread', () => {
    const { condition } = readCondition("now in ['a'] and size(now) > 1", { kind: 'callback' });
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(condition).toMatchObject({ source: "now in ['a'] and size(now) > 1", cel: "now in ['a'] && size(now) > 1" });
    expect(frozen(condition)).toBe(true);
    expect(structuredClone(condition)).toEqual(condition);
  });

  it('may be any text at all', () => {
    const soup = fc.array(
      fc.constantFrom(
        'and',
        'or',
        'not',
        'in',
        'is',
        'None',
        'True',
        '(',
        ')',
        '[',
        ']',
        '==',
        '<',
        '!',
        '&&',
        '? ',
        ':',
        ',',
        '.',
        "'a'",
        '1',
        'now',
        'size(',
        '.all(x, ',
        '-',
        '+',
        '\\',
        '"',
        'if',
        'callbacks',
        'experiment.variables.a',
      ),
      { maxLength: 30 },
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      soup.map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { condition, faults } = readCondition(text, { kind: 'transition' });
        expect(condition === undefined).toBe(faults.length > 0);
        for (const { offset, detail } of faults) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(text.length);
          expect(detail).toMatch(/[.?]$/);
        }
        if (condition) evaluateCondition(condition, conditionInputs());
      }),
      { numRuns: 3_000, seed },
    );
  });
});
