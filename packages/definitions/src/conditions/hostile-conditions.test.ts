/** Hostile conditions cannot reach the host program and are not expensive. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { countCalls } from '../../../api/testing/count-calls.ts';
import { handWrittenConditions, hostileCondition } from '../../testing/hostile-conditions.ts';
import { setTraps, type Traps } from '../../testing/host-traps.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { seed } from '../../../api/testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

const maxResultLength = 20_000;

/** Values that a hostile report could have stored, including names that objects inherit. */
const hostileValues = JSON.parse(
  `{"__proto__": {"planted2": 1}, "xs": [1, 2, 3], "text": "abc", "map": {"a": 1, "__proto__": {"b": 2}},
    "deep": ${'['.repeat(500)}${']'.repeat(500)}, "long": "${'a'.repeat(100_000)}"}`,
) as Record<string, unknown>;
const inputs = conditionInputs({
  variables: hostileValues,
  callbacks: { a: { status: 'finished', result: 'success', result_values: hostileValues } },
});

const evaluate = (text: string) => {
  const { condition, faults } = readCondition(text, { kind: 'transition' });
  return { faults, verdict: condition && evaluateCondition(condition, inputs) };
};

let traps: Traps;
beforeAll(() => {
  traps = setTraps();
});
afterAll(() => traps.remove());

/** The result is bounded and contains only data. */
function expectHarmless(text: string): void {
  const before = traps.reached();
  const result = evaluate(text);
  expect(traps.reached()).toBe(before);
  expect(result.verdict === undefined).toBe(result.faults.length > 0);
  const output = JSON.stringify(result);
  expect(output.length).toBeLessThan(maxResultLength);
  expect(output).not.toMatch(
    /native code|\[object |=>|node:internal/.test(text) ? /^$/ : /native code|\[object |node:internal/,
  );
}

const expectHarmlessGenerated = (count: number) => {
  let read = 0;
  const check = (text: string) => {
    expectHarmless(text);
    read += readCondition(text, { kind: 'transition' }).condition ? 1 : 0;
  };
  fc.assert(fc.property(hostileCondition, check), { numRuns: count, seed });
  expect(read).toBeGreaterThan(count / 100);
  expect(traps.changed()).toEqual([]);
};

describe('traps', () => {
  it('detect text that is evaluated as JavaScript, and properties added to Object.prototype', () => {
    const own = setTraps('plantedToo');
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the trap itself is tested
    const run = new Function('return plantedToo() && "".plantedToo && [].plantedToo && ({}).plantedToo') as () => void;
    run();
    expect(own.reached()).toBe(4);
    // oxlint-disable-next-line no-extend-native -- the trap itself is tested
    Object.defineProperty(Object.prototype, 'leftBehind', { value: 1, configurable: true });
    expect(own.changed()).toContain('leftBehind');
    Reflect.deleteProperty(Object.prototype, 'leftBehind');
    own.remove();
  });
});

describe('hostile conditions', () => {
  it('include at least 100 different handwritten conditions', () => {
    expect(new Set(handWrittenConditions).size).toBe(handWrittenConditions.length);
    expect(handWrittenConditions.length).toBeGreaterThanOrEqual(100);
  });

  it.each(handWrittenConditions.map((text) => [text.slice(0, 80), text]))(
    'such as %j cannot reach the host program',
    (_name, text) => {
      expectHarmless(text);
      expect(traps.changed()).toEqual([]);
    },
  );

  it('need fewer than 5,000 function calls each on average', () => {
    const texts = [...handWrittenConditions, ...fc.sample(hostileCondition, { numRuns: sampleSizes.gate, seed })];
    const counter = countCalls();
    for (const text of texts) evaluate(text);
    expect(counter.calls() / texts.length).toBeLessThan(5_000);
    counter.stop();
  });

  it(`cannot reach the host program in ${sampleSizes.gate} generated samples with seed ${seed}`, () => {
    expectHarmlessGenerated(sampleSizes.gate);
  });

  it(
    `cannot reach the host program in ${sampleSizes.nightly} generated samples with seed ${seed}`,
    { tags: ['nightly'] },
    () => {
      expectHarmlessGenerated(sampleSizes.nightly);
    },
  );
});

describe('an inherited property', () => {
  it.each(['constructor', '__proto__', 'toString', 'planted', 'length'])(
    'such as %s is not visible to a condition',
    (name) => {
      const inherited = conditionInputs({ variables: { text: 'abc', xs: [1], map: {} } });
      const held = ['experiment.variables', 'experiment.variables.xs', 'experiment.variables.text', 'callbacks'].filter(
        (of) => {
          const { condition } = readCondition(`has(${of}.${name})`, { kind: 'transition' });
          return condition && evaluateCondition(condition, inherited).holds;
        },
      );
      expect(held).toEqual([]);
    },
  );
});
