import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { seed } from '../../../api/testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

const faultsOf = (text: string) =>
  readCondition(text, { kind: 'transition' }).faults.map(({ offset, detail }) => [offset, detail]);

describe('readCondition', () => {
  it.each<[string, number, string]>([
    // Names.
    ['experimnt.label == 1', 0, 'experimnt is not a known name. Did you mean "experiment"?'],
    [
      'now == now && foo',
      14,
      "foo is not a known name. If it is text, write 'foo'. Expected one of: experiment, subject, cohort, callbacks, now.",
    ],
    ['experiment.lable == 1', 11, 'experiment.lable is not a known field. Did you mean "label"?'],
    ["experiment['lable'] == 1", 11, 'experiment[\'lable\'] is not a known field. Did you mean "label"?'],
    ['subject.state == 1', 8, 'subject.state is not a known field. Expected one of: label, external_ids.'],
    ["callbacks['a'].resul == 1", 15, 'callbacks[\'a\'].resul is not a known field. Did you mean "result"?'],
    [
      'experiment.constructor == 1',
      11,
      'experiment.constructor is not a known field. Expected one of: label, scandate, state, variables, external_ids.',
    ],
    [
      'constructor == 1',
      0,
      "constructor is not a known name. If it is text, write 'constructor'. Expected one of: experiment, subject, cohort, callbacks, now.",
    ],
    ['experiment.label.size == 1', 17, 'experiment.label is text and has no field "size".'],
    ['cohort == null', 0, 'cohort cannot be used as a value. Use cohort.label.'],
    [
      'experiment[now] == 1',
      11,
      'experiment cannot be indexed with a computed name. Use one of: label, scandate, state, variables, external_ids.',
    ],
    ['experiment.variables[1] == 1', 21, 'experiment.variables needs a text key, not a number.'],
    ['now[0] == 1', 0, 'now is text and cannot be indexed with [ ].'],
    ['experiment.variables.xs.all(y, x == 1)', 31, 'x is not a known name. Did you mean "y"?'],
    // Kinds that can never match.
    ['experiment.label', 0, 'the condition must be true or false, but it is text.'],
    ['1 + 2', 0, 'the condition must be true or false, but it is a number.'],
    ['null', 0, 'the condition must be true or false, but it is null.'],
    ["true && 'yes'", 0, "&& needs true or false, but 'yes' is text."],
    ['!subject.label', 0, '! needs true or false, but subject.label is text.'],
    ['now ? true : false', 0, '? : needs true or false, but now is text.'],
    ['now > 3', 0, '> cannot compare text with a number.'],
    ['experiment.variables.n < null', 0, '< cannot compare any value with null.'],
    [
      "'e' in experiment.label",
      0,
      '"in" needs a list or a map, but experiment.label is text. For text, write experiment.label.contains(\'e\').',
    ],
    ['1 in 2 || true', 0, '"in" needs a list or a map, but 2 is a number.'],
    ["now + 1 == 'a'", 0, '+ needs two numbers or two texts, but now is text and 1 is a number.'],
    ['now * 2 == 1', 0, '* needs two numbers, but now is text and 2 is a number.'],
    ['-now == 1', 0, '- needs a number, but now is text.'],
    ['size(1) == 1', 0, 'size() needs text, a list or a map, but 1 is a number.'],
    ['now.contains(1)', 0, 'contains() needs text, but 1 is a number.'],
    ['now.all(x, true)', 0, 'all() needs a list or a map, but now is text.'],
    ['[1].all(x, 1)', 11, 'all needs true or false, but 1 is a number.'],
    // Macros and functions.
    ['[1].all(x, [x].exists(y, true))', 11, 'exists() cannot be nested in another all, exists, filter or map.'],
    ['[1].all(now, true)', 0, 'now is already defined. Choose another name.'],
    ['[1].all(1, true)', 8, 'expected a name, as in list.exists(x, x > 1), but found 1.'],
    ['[1].all(x)', 0, 'all() takes a name and an expression, as in list.all(x, x > 1).'],
    ['[1].map(x, true, x) == []', 0, 'map() takes a name and an expression, as in list.map(x, x > 1).'],
    ['has(now)', 0, "has() takes one field, as in has(experiment.variables['usable'])."],
    ["now.contains('a', 'b')", 0, 'wrong number of arguments. Write x.contains(y).'],
    ['size() == 1', 0, 'wrong number of arguments. Write size(x).'],
    ["now.matches('a')", 4, '.matches() is not supported. Write x.contains(y), x.startsWith(y) or x.endsWith(y).'],
    ['[1].exists_one(x, true)', 4, '.exists_one() is not supported. Write size(list.filter(x, ...)) == 1.'],
    ['contains(now)', 0, 'contains() is not supported. Write x.contains(...).'],
    ['now.has(x)', 4, '.has() is not supported. Write has(x.name).'],
    ["now.contians('a')", 4, '.contians() is not supported. Did you mean "contains"?'],
    ['foo(1)', 0, 'foo() is not supported. Expected one of: size, int, str, has.'],
    ['timestamp(now) == 1', 0, 'timestamp() is not supported. Compare times as text.'],
    [
      'cel.bind(x, 1, x)',
      4,
      '.bind() is not supported. Expected one of: contains, startsWith, endsWith, lowerAscii, upperAscii, trim, size, all, exists, filter, map.',
    ],
    // Literals.
    ["b'a' == 1", 0, "b'...' is not supported. Write the text without b."],
    ['1u == 1', 0, '1u is not supported. Write the number without u.'],
    ['9007199254740993 == 1', 0, '9007199254740993 is too large. Integers are exact only up to 9007199254740991.'],
    ['1e999 == 1', 0, '1e999 is not a valid number.'],
    ["{'a': 1} == 1", 0, 'maps and sets ({ }) are not supported. Write a list, as in x in [1, 2].'],
    ["now == 'a", 7, "this text has no closing '."],
    ["now == 'a\nb'", 9, 'the line ends inside quoted text. Close the quotes, or write \\n for a line break.'],
    ["now == 'a\\d'", 9, '\\d is not a valid escape sequence. Write \\\\ for a backslash.'],
    ['now == ‘a’', 7, 'unexpected character "‘". Quote text with \' or ".'],
    ['now == §', 7, 'unexpected character "§". Put text in quotes.'],
    // Syntax.
    ['now ==', 6, 'the condition is incomplete.'],
    ['(true', 5, 'the condition is incomplete.'],
    ['true)', 4, 'unexpected ")".'],
    ['true true', 5, 'unexpected "true".'],
    ['  true true', 7, 'unexpected "true".'],
    ['package == 1', 0, '"package" is a reserved word in CEL and cannot be used as a name.'],
    ['size(1,2,3,4) == 1', 11, 'too many arguments. No function takes more than 3.'],
  ])('rejects %s at offset %i with the detail %j', (text, offset, detail) => {
    expect(faultsOf(text)[0]).toEqual([offset, detail]);
  });

  it('reports up to 20 errors together, in the order of the text', () => {
    const text = "experiment.lable == 1 && subject.foo == 2 || callbacks['x'].reslt == 3 && size(1) == 1 && bar";
    expect(faultsOf(text).map(([offset]) => offset)).toEqual([11, 33, 60, 74, 90]);
    expect(faultsOf('sum(a) == 1 and b ** 2 == 4 and c // 2 == 1')).toHaveLength(3);
    expect(faultsOf('foo == 1 || '.repeat(30) + 'foo')).toHaveLength(20);
  });

  it('reports a fault in a part that the translation repeats only once', () => {
    expect(faultsOf("experiment.lable.get('a', 1) == 2")).toEqual([
      [11, 'experiment.lable is not a known field. Did you mean "label"?'],
    ]);
  });

  it('rejects the condition of a callback if it reads callbacks', () => {
    const text = "now != '' && callbacks['a'].result == 'success'";
    expect(readCondition(text, { kind: 'transition' }).faults).toEqual([]);
    expect(readCondition(text, { kind: 'callback' }).faults).toEqual([
      { offset: 13, detail: 'the condition of a callback cannot read callbacks, because none has run yet.' },
    ]);
  });

  it('rejects callbacks that the state does not have, if the callbacks of the state are known', () => {
    const callbackLabels = new Set(['check_protocol', 'send']);
    const read = (text: string) => readCondition(text, { kind: 'transition', callbackLabels }).faults;
    expect(read("callbacks['check_protocol'].result == callbacks.send.result")).toEqual([]);
    expect(read("callbacks['chek_protocol'].result == callbacks.gone.result")).toEqual([
      { offset: 10, detail: 'the state has no callback "chek_protocol". Did you mean "check_protocol"?' },
      { offset: 47, detail: 'the state has no callback "gone". Expected one of: check_protocol, send.' },
    ]);
    expect(read("'chek_protocol' in callbacks")).toEqual([]);
  });
});

const ofLength = (length: number) => `'${'😀'.repeat(length - 9)}' != 'a'`;
const chainOf = (count: number) => `experiment.variables${".get('a', 1)".repeat(count)} == 1`;
const ofNodes = (count: number) => `1 in [${Array.from({ length: count - 3 }, () => '1').join(',')}]`;
const ofLevels = (count: number) => `${'('.repeat(count - 1)}true${')'.repeat(count - 1)}`;

describe('the size of a condition', () => {
  it('is limited to 1,000 characters', () => {
    expect(faultsOf(ofLength(1_000))).toEqual([]);
    expect(faultsOf(ofLength(1_001))).toEqual([
      [0, 'the condition has 1,001 characters, but at most 1,000 are allowed.'],
    ]);
    expect(faultsOf(' '.repeat(5_000))).toEqual([]);
  });

  it('is limited to 1,000 characters after the translation to CEL', () => {
    const detail =
      'the condition has more than 1,000 characters in CEL. Split it across several transitions, or set a variable.';
    expect(faultsOf(chainOf(3))).toEqual([]);
    expect(faultsOf(chainOf(5))).toEqual([[0, detail]]);
    expect(faultsOf(chainOf(80))[0]?.[1]).toBe(detail);
  });

  it('is limited to 200 parts', () => {
    expect(faultsOf(ofNodes(200))).toEqual([]);
    expect(faultsOf(ofNodes(201))).toEqual([
      [0, 'the condition has more than 200 parts. Split it across several transitions, or set a variable.'],
    ]);
  });

  it('is limited to 64 levels of nesting', () => {
    expect(faultsOf(ofLevels(64))).toEqual([]);
    expect(faultsOf(ofLevels(65))).toEqual([[64, 'the condition is nested deeper than 64 levels.']]);
  });
});

describe('docs/reference/conditions.md', () => {
  const page = readFileSync(new URL('../../../../docs/reference/conditions.md', import.meta.url), 'utf8');
  const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const examples = Array.from(section('Examples').matchAll(/^\| `([^`]+)`/gm), ([, text = '']) =>
    text.replaceAll('\\|', '|'),
  );

  it('has valid examples', () => {
    expect(examples.length).toBeGreaterThan(5);
    for (const text of examples) expect([text, faultsOf(text)]).toEqual([text, []]);
  });
});

describe('the result of readCondition', () => {
  it('is a frozen condition that can be sent to a thread', () => {
    const { condition } = readCondition("now in ['a'] and size(now) > 1", { kind: 'callback' });
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(condition).toMatchObject({ source: "now in ['a'] and size(now) > 1", cel: "now in ['a'] && size(now) > 1" });
    expect(frozen(condition)).toBe(true);
    expect(structuredClone(condition)).toEqual(condition);
  });

  it('is either a condition or errors with valid offsets for any text', () => {
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
        'len(',
        'all(',
        'for x in',
        ".get('a'",
        '{}',
        '.strip()',
        'callbacks.a.result.name',
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
