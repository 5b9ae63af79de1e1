import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

const read = (text: string) => {
  const { condition, faults } = readCondition(text, { kind: 'transition' });
  expect(faults).toEqual([]);
  if (!condition) throw new Error('neither faults nor a condition');
  return condition;
};

/** Replaces `v.a` by the variable a. */
const written = (text: string) => text.replaceAll(/\bv\./g, 'experiment.variables.');
const evaluate = (text: string, inputs = conditionInputs()) => evaluateCondition(read(written(text)), inputs);

describe('the explanation', () => {
  const inputs = conditionInputs({ variables: { a: false, b: 1, yes: true, xs: [1, 2] } });
  it.each([
    ['v.a', 'experiment.variables.a is false.'],
    ['!v.yes', 'experiment.variables.yes is true.'],
    ['v.yes && v.b > 1', 'experiment.variables.b is 1, but must be > 1.'],
    ['v.b == 2 || v.b == 3', 'experiment.variables.b is 1, but must be 2 or 3.'],
    ["v.b == 'MR' || v.b == 'PT' || v.b > 5", "experiment.variables.b is 1, but must be 'MR', 'PT' or > 5."],
    [
      'v.a || v.b == 2',
      'experiment.variables.a || experiment.variables.b == 2 does not hold: experiment.variables.a is false, experiment.variables.b is 1.',
    ],
    [
      'v.xs == [] || v.b == 2',
      'experiment.variables.xs == [] || experiment.variables.b == 2 does not hold: experiment.variables.xs is [1,2], experiment.variables.b is 1.',
    ],
    ['v.b == 2 || v.b != 1', 'experiment.variables.b is 1, but must be 2 or not 1.'],
    ['v.b != 1', 'experiment.variables.b is 1, but must not be 1.'],
    ['!(v.b == 1)', 'experiment.variables.b == 1 holds, but must not: experiment.variables.b is 1.'],
    ["experiment.state in ['x']", 'experiment.state is "arrived", but must be in [\'x\'].'],
    [
      'v.b + 1 == size(v.xs) + 1',
      'experiment.variables.b + 1 == size(experiment.variables.xs) + 1 does not hold: experiment.variables.b is 1, experiment.variables.xs is [1,2].',
    ],
    ['v.yes ? v.a : true', 'experiment.variables.yes is true, and experiment.variables.a is false.'],
    ['has(v.gone)', 'experiment.variables.gone is missing.'],
    [
      'v.xs.exists(x, x == size(subject.label))',
      'experiment.variables.xs.exists(x, x == size(subject.label)) does not hold: experiment.variables.xs is [1,2], subject.label is "sub_1".',
    ],
    ["int(v.b) > 1 && str(v.b) == '2'", 'int(experiment.variables.b) > 1 does not hold: experiment.variables.b is 1.'],
    [
      "experiment.variables.get('gone', 0) > 3",
      "(has(experiment.variables['gone']) ? experiment.variables['gone'] : 0) > 3 does not hold: experiment.variables['gone'] is null.",
    ],
    ["experiment.variables.get('gone', False)", "has(experiment.variables['gone']) is false, and false never holds."],
    ['false', 'false never holds.'],
  ])('of %s is %j', (text, reason) => {
    expect(evaluate(text, inputs)).toMatchObject({ holds: false, decided: true, reason });
  });

  it('lists the value of every part, even if it does not affect the result, or the error of a part that fails', () => {
    const text = 'v.a && v.gone > 1 || v.yes ? v.xs.exists(x, x > v.b) : size(v.xs) == v.n';
    expect(evaluate(text, inputs).parts).toEqual([
      { text: 'experiment.variables.a', value: false },
      { text: 'experiment.variables.gone > 1', value: null, error: 'cannot compare null with a number.' },
      { text: 'experiment.variables.gone', value: null },
      { text: 'experiment.variables.yes', value: true },
      { text: 'experiment.variables.xs.exists(x, x > experiment.variables.b)', value: true },
      { text: 'experiment.variables.xs', value: [1, 2] },
      { text: 'experiment.variables.b', value: 1 },
      { text: 'size(experiment.variables.xs) == experiment.variables.n', value: false },
      { text: 'size(experiment.variables.xs)', value: 2 },
      { text: 'experiment.variables.n', value: null },
    ]);
  });

  it('names each part once, in CEL, with parentheses where they matter', () => {
    const condition = read("(subject.label == 'x' or not (now == 'y')) and (1 + 2) * 3 == 9 and subject.label == 'x'");
    expect(evaluateCondition(condition, conditionInputs()).parts.map(({ text }) => text)).toEqual([
      "subject.label == 'x'",
      'subject.label',
      "now == 'y'",
      'now',
      '(1 + 2) * 3 == 9',
    ]);
  });

  it('shortens long values', () => {
    const variables = {
      text: 'x'.repeat(1_000),
      list: Array.from({ length: 1_000 }, (_, index) => index),
      deep: { a: { b: { c: { d: 1 } } } },
      map: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index])),
    };
    const { parts } = evaluate('v.text == v.list || v.deep == v.map', conditionInputs({ variables }));
    const values = Object.fromEntries(parts.map(({ text, value }) => [text.split('.').at(-1), value]));
    expect(values['text']).toBe(`${'x'.repeat(200)}…`);
    expect(values['list']).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '… 990 more']);
    expect(values['deep']).toEqual({ a: { b: { c: '…' } } });
    expect(Object.keys(values['map'] as object)).toHaveLength(11);
  });
});
