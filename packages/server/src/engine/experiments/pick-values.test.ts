import { evaluateCondition, readCondition, valueReadsOf } from '@milepost/definitions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../../../definitions/testing/condition-inputs.ts';
import { seed } from '../../../../api/testing/seed.ts';
import { storedValues } from '../../../testing/random-values.ts';
import { outermost, pickValues } from './pick-values.ts';
import { pathOf, valueAt } from './set-variables.ts';

const step = fc.constantFrom('.a', '.list', "['b']", "['0']", "['__proto__']", '[0]', '[2]', '[7]', '[1.5]', '[true]');
const steps = fc.array(step, { maxLength: 4 }).map((some) => some.join(''));
const label = fc.constantFrom("['x']", '.y', "['z']", '[experiment.variables.label]');
const computed = fc.constantFrom('[experiment.variables.key]', "[callbacks['y'].result_values.a]");
const path = fc.oneof(
  fc.tuple(label, steps).map(([of, more]) => `callbacks${of}.result_values${more}`),
  fc.tuple(label, steps, computed, steps).map(([of, ...more]) => `callbacks${of}.result_values${more.join('')}`),
);

const { part } = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: path, weight: 5 },
    fc.constantFrom('null', 'true', '0', '1', "'a'", "''", '[]', '[1, 2]'),
    path.map((of) => `has(${of}.a)`),
    path.map((of) => `has(${of}[2])`),
    path.map((of) => `size(${of})`),
    label.map((of) => `callbacks${of}`),
    fc
      .tuple(tie('part'), fc.constantFrom('==', '!=', '<', 'in', '&&', '||', '+'), tie('part'))
      .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
    fc
      .tuple(path, fc.constantFrom('all', 'exists', 'filter', 'map'), path)
      .map(([over, macro, other]) => `${over}.${macro}(e, e.a == ${other})`),
    fc.tuple(tie('part'), tie('part'), tie('part')).map(([test, yes, no]) => `((${test}) ? (${yes}) : (${no})).a`),
  ),
}));

const onlyLabels = fc.constantFrom(
  "has(callbacks['x'])",
  "'y' in callbacks",
  'size(callbacks) == 2',
  "callbacks.all(c, callbacks[c].result == 'success')",
  'callbacks.exists(c, callbacks[c].result_values.a == 1)',
);

const conditionOf = (text: fc.Arbitrary<string>) =>
  text
    .map((written) => readCondition(written, { kind: 'transition' }).condition)
    .filter((condition) => condition !== undefined);

const comparison = fc
  .tuple(part, fc.constantFrom('==', '!=', '||', '&&'), part)
  .map(([left, operator, right]) => `(${left}) ${operator} (${right})`);

const outcomes = fc.record({ x: storedValues, y: storedValues });
type Outcomes = Record<string, unknown>;

const inputsWith = (values: Outcomes) =>
  conditionInputs({
    variables: { key: 'a', label: 'x' },
    callbacks: Object.fromEntries(
      Object.entries(values).map(([name, known]) => {
        const outcome = { status: 'finished', result: 'success' };
        return [name, known === undefined ? outcome : { ...outcome, result_values: known }];
      }),
    ),
  });

/** As the engine does, without a database. */
const picked = (condition: Parameters<typeof valueReadsOf>[0], values: Outcomes): Outcomes =>
  Object.fromEntries(
    Object.entries(values).map(([name, whole]) => {
      const reads = valueReadsOf(condition).filter(({ callback = name }) => callback === name);
      const paths = outermost(reads.map(({ path: one }) => one));
      return [name, paths.length === 0 ? undefined : pickValues(whole, paths)];
    }),
  );

describe('the values that a condition names', () => {
  it('lead to the same verdict, with the same explanation, as the whole values', () => {
    fc.assert(
      fc.property(conditionOf(comparison), outcomes, (condition, values) => {
        const verdict = evaluateCondition(condition, inputsWith(picked(condition, values)));
        expect(verdict).toEqual(evaluateCondition(condition, inputsWith(values)));
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('lead to the same verdict where a condition reads the labels of all callbacks', () => {
    const text = fc.tuple(onlyLabels, path).map(([labels, other]) => `${labels} && ${other} != 1`);
    fc.assert(
      fc.property(conditionOf(text), outcomes, (condition, values) => {
        const { holds, decided } = evaluateCondition(condition, inputsWith(picked(condition, values)));
        expect({ holds, decided }).toEqual(
          (({ holds: one, decided: other }) => ({ holds: one, decided: other }))(
            evaluateCondition(condition, inputsWith(values)),
          ),
        );
      }),
      { seed, numRuns: 1000 },
    );
  });

  it('do not include others', () => {
    const values = { body: { usable: true, text: 'long' }, list: [{ a: 1, b: 2 }, { a: 3 }], output: 'long', n: 7 };
    const paths = [
      ['body', 'usable'],
      ['list', 1],
      ['output', 'x'],
      ['n', 'x'],
      ['list', 0, 'a'],
      ['none', 'a'],
    ];
    expect(pickValues(values, paths)).toEqual({
      body: { usable: true },
      list: [{ a: 1 }, { a: 3 }],
      output: '',
      n: 0,
    });
  });
});

describe('the values that a variable map names', () => {
  const pointer = fc
    .array(fc.constantFrom('a', 'b', 'list', '0', '01', '-1', '__proto__', ''), { maxLength: 4 })
    .map((names) => names.map((name) => `/${name}`).join(''));

  it('are found as in the whole values', () => {
    fc.assert(
      fc.property(storedValues, fc.array(pointer, { minLength: 1, maxLength: 3 }), (values, pointers) => {
        const some = pickValues(values, outermost(pointers.map(pathOf)));
        for (const one of pointers) expect(valueAt(some, one)).toEqual(valueAt(values, one));
      }),
      { seed, numRuns: 2000 },
    );
  });
});
