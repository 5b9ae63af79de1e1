/** Hostile conditions: none reaches the program that reads it, and none takes much work. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionInputs } from '../../../testing/condition-inputs.ts';
import { countCalls } from '../../../testing/count-calls.ts';
import { handWrittenConditions, hostileCondition } from '../../../testing/hostile/conditions.ts';
import { setTraps, type Traps } from '../../../testing/hostile/host-traps.ts';
import { sampleSizes } from '../../../testing/hostile/sample-sizes.ts';
import { seed } from '../../../testing/seed.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './parse-condition.ts';

const longestAnswer = 20_000;

/** What a hostile report of a program may have left as values: names that objects inherit among them. */
const hostileValues = JSON.parse(
  `{"__proto__": {"planted2": 1}, "xs": [1, 2, 3], "text": "abc", "map": {"a": 1, "__proto__": {"b": 2}},
    "deep": ${'['.repeat(500)}${']'.repeat(500)}, "long": "${'a'.repeat(100_000)}"}`,
) as Record<string, unknown>;
const inputs = conditionInputs({
  variables: hostileValues,
  callbacks: { a: { status: 'finished', result: 'success', result_values: hostileValues } },
});

const judge = (text: string) => {
  const { condition, faults } = readCondition(text, { kind: 'transition' });
  return { faults, verdict: condition && evaluateCondition(condition, inputs) };
};

let traps: Traps;
beforeAll(() => {
  traps = setTraps();
});
afterAll(() => traps.remove());

/** What is told of a condition: bounded, and of data alone. */
function expectHarmless(text: string): void {
  const before = traps.reached();
  const result = judge(text);
  expect(traps.reached()).toBe(before);
  expect(result.verdict === undefined).toBe(result.faults.length > 0);
  const told = JSON.stringify(result);
  expect(told.length).toBeLessThan(longestAnswer);
  expect(told).not.toMatch(
    /native code|\[object |=>|node:internal/.test(text) ? /^$/ : /native code|\[object |node:internal/,
  );
}

const expectHarmlessGenerated = (count: number) => {
  let read = 0;
  const look = (text: string) => {
    expectHarmless(text);
    read += readCondition(text, { kind: 'transition' }).condition ? 1 : 0;
  };
  fc.assert(fc.property(hostileCondition, look), { numRuns: count, seed });
  expect(read).toBeGreaterThan(count / 100);
  expect(traps.changed()).toEqual([]);
};

describe('traps', () => {
  it('are there for whoever evaluates such a text as a program', () => {
    const own = setTraps('plantedToo');
    // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the trap itself is tried
    const evaluate = new Function(
      'return plantedToo() && "".plantedToo && [].plantedToo && ({}).plantedToo',
    ) as () => void;
    evaluate();
    expect(own.reached()).toBe(4);
    // oxlint-disable-next-line no-extend-native -- the trap itself is tried
    Object.defineProperty(Object.prototype, 'leftBehind', { value: 1, configurable: true });
    expect(own.changed()).toContain('leftBehind');
    Reflect.deleteProperty(Object.prototype, 'leftBehind');
    own.remove();
  });
});

describe('hostile conditions', () => {
  it('are a hundred and more by hand, none twice', () => {
    expect(new Set(handWrittenConditions).size).toBe(handWrittenConditions.length);
    expect(handWrittenConditions.length).toBeGreaterThanOrEqual(100);
  });

  it.each(handWrittenConditions.map((text) => [text.slice(0, 80), text]))('%j reaches nothing', (_name, text) => {
    expectHarmless(text);
    expect(traps.changed()).toEqual([]);
  });

  it('take at most 5,000 function calls each, on average', () => {
    const texts = [...handWrittenConditions, ...fc.sample(hostileCondition, { numRuns: sampleSizes.gate, seed })];
    const counter = countCalls();
    for (const text of texts) judge(text);
    expect(counter.calls() / texts.length).toBeLessThan(5_000);
    counter.stop();
  });

  it(`${sampleSizes.gate} generated ones, with seed ${seed}, reach nothing, and some of them are read`, () => {
    expectHarmlessGenerated(sampleSizes.gate);
  });

  it(`${sampleSizes.nightly} generated ones, with seed ${seed}, reach nothing`, { tags: ['nightly'] }, () => {
    expectHarmlessGenerated(sampleSizes.nightly);
  });
});

describe('what objects inherit', () => {
  it.each(['constructor', '__proto__', 'toString', 'planted', 'length'])('%s is no variable', (name) => {
    const inherited = conditionInputs({ variables: { text: 'abc', xs: [1], map: {} } });
    const held = ['experiment.variables', 'experiment.variables.xs', 'experiment.variables.text', 'callbacks'].filter(
      (of) => {
        const { condition } = readCondition(`has(${of}.${name})`, { kind: 'transition' });
        return condition && evaluateCondition(condition, inherited).holds;
      },
    );
    expect(held).toEqual([]);
  });
});
