import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { seed } from '../../../api/testing/seed.ts';
import { parseCel } from './parse-cel.ts';
import { evaluateCondition } from './evaluate-condition.ts';

const unchecked = (cel: string) => parseCel(cel, (offset) => offset).ast;

describe('evaluateCondition', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const names = fc.constantFrom('a', 'b', 'constructor', '__proto__', 'toString', 'xs');
  const leaf = fc.oneof(
    names.map((name) => `experiment.variables['${name}']`),
    names.map((name) => `callbacks['${name}'].result_values`),
    fc.constantFrom(
      'now',
      'subject.label',
      'cohort.label',
      'experiment.external_ids',
      '1',
      '0',
      '2.5',
      "'a'",
      'true',
      'null',
      '[]',
    ),
  );
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc
        .tuple(
          tie('part'),
          fc.constantFrom('==', '!=', '<', '>=', 'in', '&&', '||', '+', '-', '*', '/', '%'),
          tie('part'),
        )
        .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      tie('part').map((of) => `!(${of})`),
      tie('part').map((of) => `-(${of})`),
      tie('part').map((of) => `(${of}).field`),
      fc.tuple(tie('part'), tie('part')).map(([of, index]) => `(${of})[${index}]`),
      fc.tuple(tie('part'), tie('part')).map(([one, other]) => `[${one}, ${other}]`),
      fc.tuple(tie('part'), tie('part'), tie('part')).map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
      fc.tuple(tie('part'), tie('part')).map(([text, other]) => `(${text}).contains(${other})`),
      tie('part').map((of) => `size(${of})`),
      tie('part').map((of) => `(${of}).lowerAscii()`),
      tie('part').map((of) => `has((${of}).name)`),
      fc
        .tuple(
          tie('part'),
          fc.constantFrom('all', 'exists', 'filter', 'map'),
          leaf,
          fc.constantFrom('==', '<', '+', 'in'),
        )
        .map(([over, macro, other, operator]) => `(${over}).${macro}(x, x ${operator} ${other})`),
    ),
  }));

  it('returns a verdict for any condition that can be parsed, even an invalid one, with any values', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(part, fc.dictionary(names, json), json, (cel, variables, result_values) => {
        const ast = unchecked(cel);
        if (!ast) return;
        evaluated += 1;
        const inputs = conditionInputs({
          variables,
          callbacks: { a: { status: 'finished', result: 'success', result_values } },
        });
        const verdict = evaluateCondition({ source: cel, cel, ast }, inputs);
        expect(verdict.holds && !verdict.decided).toBe(false);
        expect(verdict.reason).toMatch(/[.…]$/);
        expect(verdict.parts.every(({ text, value }) => text !== '' && value !== undefined)).toBe(true);
        // The displayed text can be parsed again and means the same.
        const again = unchecked(ast.text);
        expect(again?.text).toBe(ast.text);
        expect(evaluateCondition({ source: cel, cel, ast: again }, inputs)).toEqual(verdict);
      }),
      { numRuns: 3_000, seed },
    );
    expect(evaluated).toBeGreaterThan(2_000);
  });
});
