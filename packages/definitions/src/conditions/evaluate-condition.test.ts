import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

const read = (text: string, kind: 'transition' | 'callback' = 'transition') => {
  const { condition, faults } = readCondition(text, { kind });
  expect(faults).toEqual([]);
  if (!condition) throw new Error('neither faults nor a condition');
  return condition;
};

const finished = (result: string, result_values: unknown = {}) => ({ status: 'finished', result, result_values });

/** Replaces `v.a` by the variable a. */
const written = (text: string) => text.replaceAll(/\bv\./g, 'experiment.variables.');
const evaluate = (text: string, inputs = conditionInputs()) => evaluateCondition(read(written(text)), inputs);

describe("the condition experiment.variables['resend'] != true", () => {
  it.each([
    ['missing', {}, true],
    ['true', { resend: true }, false],
    ['false', { resend: false }, true],
    ['the text "true"', { resend: 'true' }, true],
  ])('evaluates to $2 if the variable is $0', (_case, variables, holds) => {
    const condition = read("experiment.variables['resend'] != true", 'callback');
    expect(evaluateCondition(condition, conditionInputs({ variables }))).toMatchObject({ holds, decided: true });
  });
});

describe('a condition on a result and a variable', () => {
  it.each([
    ['success', true, true, 'The condition holds.'],
    ['success', false, false, "experiment.variables['usable'] is false, but must be true."],
    ['success', undefined, false, "experiment.variables['usable'] is null, but must be true."],
    ['failed', true, false, "callbacks['check_protocol'].result is \"failed\", but must be 'success'."],
    ['timeout', null, false, "callbacks['check_protocol'].result is \"timeout\", but must be 'success'."],
  ])('evaluates to $2 if the result is $0 and the variable is $1', (result, usable, holds, reason) => {
    const text = "callbacks['check_protocol'].result == 'success' && experiment.variables['usable'] == true";
    const callbacks = { check_protocol: finished(result) };
    const verdict = evaluateCondition(read(text), conditionInputs({ variables: { usable }, callbacks }));
    expect(verdict).toMatchObject({ holds, decided: true, reason });
    expect(verdict.parts).toEqual([
      { text: "callbacks['check_protocol'].result == 'success'", value: result === 'success' },
      { text: "callbacks['check_protocol'].result", value: result },
      { text: "experiment.variables['usable'] == true", value: usable === true },
      { text: "experiment.variables['usable']", value: usable ?? null },
    ]);
  });
});

describe('an empty condition', () => {
  it.each(['', '   ', '\n\t'])('is met if it is written as %j', (text) => {
    expect(evaluateCondition(read(text), conditionInputs())).toEqual({
      holds: true,
      decided: true,
      reason: 'There is no condition.',
      parts: [],
    });
  });
});

describe('evaluateCondition', () => {
  const variables = {
    n: 3,
    half: 0.5,
    negative: -7,
    s: 'Straße 7',
    blank: ' \t\u00a0a b\n',
    face: 'a😀b',
    yes: true,
    no: false,
    nothing: null,
    xs: [1, 2, 3],
    words: ['mri', 'pet'],
    mixed: [1, 'a', null],
    scans: [
      { type: 'T1', ok: true, count: 2 },
      { type: 'T2', ok: false },
    ],
    map: { a: 1, b: { c: [10, 20] } },
    'with space': 1,
  };
  const callbacks = { check: finished('success', { body: { n: 2, list: [] } }), other: finished('failed') };
  const inputs = conditionInputs({ variables, callbacks, externalIds: { XNAT: 'X1', constructor: 'c' } });

  it.each([
    // Missing values are null, and so is anything read from null.
    ['v.missing == null', true],
    ['v.missing.deeper[0].still == null', true],
    ['v.nothing == null && v.nothing.field == null', true],
    ["experiment.external_ids['XNAT'] == 'X1' && experiment.external_ids.OTHER == null", true],
    ["subject.external_ids.XNAT == 'XNAT_S1'", true],
    ["callbacks['never'] == null && callbacks['never'].result == null", true],
    ["callbacks['check'].result_values.body.n == 2", true],
    ["callbacks['check'].result_values.body.gone.further == null", true],
    ['v.xs[0] == 1 && v.xs[3] == null && v.xs[-1] == null', true],
    ["v.map['b'].c[1] == 20", true],
    ["experiment.variables['with space'] == 1", true],
    // Inherited property names of JavaScript objects have no special meaning.
    ['v.constructor == null && v.toString == null && v.hasOwnProperty == null', true],
    ["experiment.variables['__proto__'] == null && callbacks['constructor'] == null", true],
    ["experiment.external_ids.constructor == 'c'", true],
    ['has(v.constructor) || has(v.map.valueOf) || "toString" in experiment.variables', false],
    // One kind of number.
    ['1 == 1.0 && v.n == 3.0 && 2.5 > 2', true],
    ['v.n / 2 == 1.5', true],
    ['7 / 2 == 3.5', true],
    ['v.negative % 3 == -1', true],
    ['v.n * 2 - 1 == 5 && v.n + v.half == 3.5', true],
    ['-v.n < 0 && -(-v.n) == 3', true],
    ['0x10 == 16 && 1e3 == 1000', true],
    ['1 + 2 * 3 == 7 && (1 + 2) * 3 == 9', true],
    ['8 - 3 - 2 == 3 && 8 / 4 / 2 == 1', true],
    // Equality never fails, and values of different kinds are not equal.
    ["v.n == '3' || v.yes == 1 || v.s == null || v.xs == 1", false],
    ['v.xs == [1, 2, 3.0] && v.xs != [1, 2]', true],
    ['v.map.b == v.map.b && v.map != v.map.b', true],
    ['[] == [] && [null] == [v.missing]', true],
    // Order.
    ["'a' < 'b' && 'B' < 'a' && '' < 'a' && 'ab' >= 'ab'", true],
    ["experiment.scandate >= '2024-03-01' && experiment.scandate < '2024-03-02'", true],
    ['experiment.scandate < now', true],
    ["now > '2025-06-15' && now <= '2025-06-15T12:00:00.000Z'", true],
    // Logic.
    ['v.yes && !v.no', true],
    ['v.no || v.yes && v.no', false],
    ['(v.no || v.yes) && v.no', false],
    ['v.yes || v.no && v.no', true],
    ['!!v.yes', true],
    ['v.no && v.missing > 1 || v.yes', true],
    ['v.missing > 1 && v.no', false],
    ['v.missing > 1 || v.yes', true],
    ['v.yes || v.s', true],
    ["v.n > 2 ? v.s == 'x' : v.yes", false],
    ['v.no ? v.missing > 1 : true', true],
    ['(v.yes ? v.n : v.s) == 3', true],
    // in.
    ["experiment.state in ['arrived', 'processed']", true],
    ["!('ct' in v.words) && 'mri' in v.words", true],
    ["'a' in v.map && !('c' in v.map)", true],
    ["'check' in callbacks && 2.0 in v.xs && !(null in v.xs)", true],
    ['null in v.mixed && 1 in v.mixed', true],
    ['[1] in [[1], [2]]', true],
    // Texts.
    ["v.s.contains('aß') && v.s.startsWith('Str') && v.s.endsWith('7')", true],
    ["v.s.contains('') && !v.s.contains('strasse')", true],
    ["v.s.lowerAscii() == 'straße 7' && v.s.upperAscii() == 'STRAßE 7'", true],
    ['size(v.s) == 8 && v.face.size() == 3', true],
    ["'sub_' + '1' == subject.label", true],
    ["'tab\\t' == \"tab\\t\" && r'\\d' == '\\\\d'", true],
    ['\'and or not\' == "and or not"', true],
    ["'it\\'s && x' != 'its' && \"say \\\"or\\\"\".size() == 8", true],
    ["v.blank.trim() == 'a b' && ' \\u001f\\u0085a\\ufeff'.trim() == 'a\\ufeff' && ''.trim() == ''", true],
    // Conversions.
    ["int('12') == 12 && int(' -7\\n') == -7 && int('+1_000') == 1000 && int('007') == 7", true],
    ['int(2.9) == 2 && int(-2.9) == -2 && int(v.n) == 3 && int(true) == 1 && int(v.no) == 0', true],
    ["str(3) == '3' && str(3.0) == '3' && str(-0.5) == '-0.5' && str('a') == 'a'", true],
    ["str(0.00001) == '1e-05' && str(0.0001) == '0.0001' && str(1.5e-10) == '1.5e-10' && str(int(-0.5)) == '0'", true],
    ["str(true) == 'True' && str(v.no) == 'False' && str(v.missing) == 'None'", true],
    // Sizes.
    ['size(v.xs) == 3 && size(v.map) == 2 && size([]) == 0', true],
    ['size(callbacks) == 2', true],
    // has.
    ['has(v.nothing) && !has(v.missing) && has(v.map.b.c)', true],
    ["has(experiment.variables['with space']) && !has(v.missing.deeper)", true],
    ['has(callbacks.check) && !has(callbacks.gone)', true],
    ['has(v.xs[2]) && !has(v.xs[3])', true],
    // Macros.
    ['v.xs.all(x, x > 0) && !v.xs.all(x, x > 1)', true],
    ['v.xs.exists(x, x == 2) && !v.xs.exists(x, x > 3)', true],
    ['[].all(x, x > 0) && ![].exists(x, x > 0)', true],
    ["v.scans.exists(s, s.type == 'T1' && s.ok)", true],
    ["size(v.scans.filter(s, s.ok)) == 1 && v.scans.map(s, s.type) == ['T1', 'T2']", true],
    ['v.scans.filter(s, s.count != null).map(s, s.count) == [2]', true],
    ["callbacks.exists(c, callbacks[c].result == 'failed')", true],
    ["callbacks.all(c, callbacks[c].result == 'success')", false],
    ['v.mixed.exists(x, x > 0)', true],
    ['v.mixed.all(x, x > 1)', false],
    ['v.map.all(name, size(name) == 1)', true],
    ['v.words.all(w, w in ["mri", "pet"])', true],
  ])('evaluates %s to %s', (text, holds) => {
    expect(evaluate(text, inputs)).toMatchObject({ holds, decided: true });
  });

  it.each([
    ['v.missing > 1', 'experiment.variables.missing > 1 cannot be evaluated: cannot compare null with a number.'],
    ['v.s < 3 || v.no', 'experiment.variables.s < 3 cannot be evaluated: cannot compare text with a number.'],
    [
      'v.s < v.missing',
      'experiment.variables.s < experiment.variables.missing cannot be evaluated: cannot compare text with null.',
    ],
    [
      'v.yes > v.no',
      'experiment.variables.yes > experiment.variables.no cannot be evaluated: cannot compare a boolean with a boolean.',
    ],
    [
      'v.missing + 1 == 1',
      'experiment.variables.missing + 1 cannot be evaluated: + needs two numbers or two texts, not null and a number.',
    ],
    ['v.n / 0 == 1', 'experiment.variables.n / 0 cannot be evaluated: cannot divide by 0.'],
    [
      'v.n % (v.n - 3) == 1',
      'experiment.variables.n % (experiment.variables.n - 3) cannot be evaluated: cannot divide by 0.',
    ],
    ['1e308 * 10 == 1', '1e308 * 10 cannot be evaluated: the result is too large.'],
    [
      "'a' in v.missing",
      '\'a\' in experiment.variables.missing cannot be evaluated: "in" needs a list or a map, not null.',
    ],
    [
      "'a' in v.s",
      '\'a\' in experiment.variables.s cannot be evaluated: "in" needs a list or a map, not text. For text, write x.contains(y).',
    ],
    ['v.n.field == 1', 'experiment.variables.n.field cannot be evaluated: a number has no fields.'],
    ['v.xs.field == 1', 'experiment.variables.xs.field cannot be evaluated: a list has no fields.'],
    [
      "v.xs['a'] == 1",
      "experiment.variables.xs['a'] cannot be evaluated: a list index must be a whole number, not text.",
    ],
    [
      'v.xs[0.5] == 1',
      'experiment.variables.xs[0.5] cannot be evaluated: a list index must be a whole number, not 0.5.',
    ],
    ['v.map[0] == 1', 'experiment.variables.map[0] cannot be evaluated: a map key must be text, not a number.'],
    [
      "v.missing.contains('a')",
      "experiment.variables.missing.contains('a') cannot be evaluated: the function needs text, not null.",
    ],
    ['size(v.n) == 1', 'size(experiment.variables.n) cannot be evaluated: a number has no size.'],
    ["int('1.5') == 1", 'int(\'1.5\') cannot be evaluated: "1.5" is not a whole number.'],
    ["int('5\\u001f') == 5", 'int(\'5\\u001f\') cannot be evaluated: "5\\u001f" is not a whole number.'],
    ["int('') == 1 || int('_1') == 1", 'int(\'\') cannot be evaluated: "" is not a whole number.'],
    [
      'int(v.missing) == 1',
      'int(experiment.variables.missing) cannot be evaluated: int needs a number, text, true or false, not null.',
    ],
    [
      "int('9007199254740992') == 1",
      "int('9007199254740992') cannot be evaluated: the number is too large. Integers are exact only up to 9,007,199,254,740,991.",
    ],
    [
      "str(v.xs) == ''",
      'str(experiment.variables.xs) cannot be evaluated: str needs text, a number, true, false or null, not a list.',
    ],
    [
      "str(1e20) == ''",
      'str(1e20) cannot be evaluated: the number is too large. Integers are exact only up to 9,007,199,254,740,991.',
    ],
    ['v.n.trim() == ""', 'experiment.variables.n.trim() cannot be evaluated: the function needs text, not a number.'],
    ['has(v.n.a)', 'has(experiment.variables.n.a) cannot be evaluated: a number has no fields.'],
    ['has(v.s.a)', 'has(experiment.variables.s.a) cannot be evaluated: text has no fields.'],
    [
      "has(v.xs['a'])",
      "has(experiment.variables.xs['a']) cannot be evaluated: a list index must be a whole number, not text.",
    ],
    [
      'v.missing.all(x, x)',
      'experiment.variables.missing.all(x, x) cannot be evaluated: all needs a list or a map, not null.',
    ],
    [
      'v.xs.filter(x, x) == []',
      'experiment.variables.xs.filter(x, x) cannot be evaluated: filter needs true or false, not a number.',
    ],
    [
      'v.mixed.map(x, x + 1) == []',
      'x + 1 cannot be evaluated: + needs two numbers or two texts, not text and a number.',
    ],
    ['v.mixed.all(x, x > 0)', 'x > 0 cannot be evaluated: cannot compare text with a number.'],
    ['!v.missing', '!experiment.variables.missing cannot be evaluated: ! needs true or false, not null.'],
    ['-v.s == 1', '-experiment.variables.s cannot be evaluated: - needs a number, not text.'],
    [
      'v.yes && v.n',
      'experiment.variables.yes && experiment.variables.n cannot be evaluated: && needs true or false, not a number.',
    ],
    [
      'v.n ? true : false',
      'experiment.variables.n ? true : false cannot be evaluated: ? : needs true or false, not a number.',
    ],
    ['v.n', 'The condition gives 3, which is neither true nor false.'],
    ['v.missing', 'The condition gives null, which is neither true nor false.'],
    ['v.s + "!"', 'The condition gives "Straße 7!", which is neither true nor false.'],
  ])('cannot decide whether %s holds, and gives the reason %j', (text, reason) => {
    expect(evaluate(text, inputs)).toMatchObject({ holds: false, decided: false, reason });
  });
});
