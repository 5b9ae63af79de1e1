/** Random conditions in Python syntax have the same results in Milepost and in Python. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pythonCase, type PythonCase } from '../../testing/python-conditions.ts';
import { seed } from '../../../api/testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

const program = fileURLToPath(new URL('../../testing/evaluate_conditions.py', import.meta.url));
const count = 3_000;

/** As Python evaluates it, and as it would if decisive operands came first. */
type Results = [strict: string, inAnyOrder: string];

function inPython(cases: readonly PythonCase[]): Results[] {
  const input = JSON.stringify(cases.map(({ condition, inputs }) => [condition, inputs]));
  const { stdout, stderr, error } = spawnSync('python3', [program], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error) throw new Error('python3 must be installed, on Debian with the package python3.', { cause: error });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Results[];
}

function inMilepost({ condition: text, inputs }: PythonCase): string {
  const { condition, faults } = readCondition(text, { kind: 'transition' });
  if (!condition) return `rejected: ${faults[0]?.detail}`;
  const { holds, decided } = evaluateCondition(condition, inputs);
  if (!decided) return '-';
  return holds ? 'T' : 'F';
}

/** The order of operands does not matter in Milepost, so it can decide where Python raises an error. */
const isSame = (result: string, [strict, inAnyOrder]: Results) =>
  result === strict || (strict === '-' && result === inAnyOrder);

describe(`${count} random conditions with seed ${seed}`, () => {
  const cases = fc.sample(pythonCase, { numRuns: count, seed });

  it('are true, are false or cannot be evaluated, as in Python', () => {
    const python = inPython(cases);
    const results = cases.map(inMilepost);
    const different = cases.flatMap((given, index) => {
      const [result = '', expected = ['', '']] = [results[index], python[index]] satisfies [unknown, unknown];
      return isSame(result, expected) ? [] : [{ ...given, result, expected }];
    });
    expect(different.slice(0, 5)).toEqual([]);
    const share = (letter: string) => results.filter((result) => result === letter).length / count;
    for (const letter of ['T', 'F', '-']) expect(share(letter)).toBeGreaterThan(0.15);
    const strict = results.filter((result, index) => result === python[index]?.[0]);
    expect(strict.length / count).toBeGreaterThan(0.9);
  });
});
