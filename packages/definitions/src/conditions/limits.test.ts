/** No condition is expensive to read or evaluate, whatever the variables contain. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { cpuMilliseconds } from '../../../api/testing/cpu-milliseconds.ts';
import { countCalls, type CallCounter } from '../../../api/testing/count-calls.ts';
import { maxCharacters } from './limits.ts';
import { maxSteps } from './values.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

let counter: CallCounter;

function counted<Result>(work: () => Result): { result: Result; calls: number } {
  counter.calls();
  const result = work();
  return { result, calls: counter.calls() };
}

const read = (text: string) => readCondition(text, { kind: 'transition' });

const typical = "callbacks['check_protocol'].result == 'success' and not experiment.variables['usable'] == False";

const longestTexts: readonly (readonly [of: string, text: string])[] = [
  ['open parentheses', '('.repeat(1_000)],
  ['closed parentheses', `${'('.repeat(498)}true${')'.repeat(498)}`],
  ['brackets', `${'['.repeat(500)}${']'.repeat(500)}`],
  ['negations', `${'!'.repeat(996)}true`],
  ['minus signs', `${'-'.repeat(999)}1`],
  ['fields', `now${'.a'.repeat(498)}`],
  ['calls', `${'size('.repeat(166)}${')'.repeat(166)}`],
  ['conditional expressions', `${'now?'.repeat(140)}now${':now'.repeat(100)}`],
  ['macros', `${'[1].all(x,'.repeat(90)}x${')'.repeat(90)}`],
  ['sums', `1${'+1'.repeat(499)}`],
  ['digits', '9'.repeat(1_000)],
  ['escapes', `'${'\\n'.repeat(499)}'`],
  ['quotes', "'".repeat(999)],
  ['the word not', `${'not '.repeat(249)}True`],
  ['the word not before parentheses', `${'not('.repeat(166)}True${')'.repeat(166)}`],
  ['nested groups in Python syntax', `True and ${'(['.repeat(247)}${'])'.repeat(247)}`],
  ['the function all', `${'all('.repeat(249)}x`],
  ['generators', `${'all('.repeat(55)}x${' for x in[])'.repeat(55)}`],
  ['the word for', `all(${'for '.repeat(249)}`],
  ['commas', `(${','.repeat(999)}`],
  ['reads with a default', `now${".get('a',1)".repeat(90)}`],
  ['reads with a default in a default', `${"now.get('a',".repeat(76)}1${')'.repeat(76)}`],
  ['names of results', `now in[${'callbacks.a.result.name,'.repeat(41)}]`],
  ['the word or', `${'now or '.repeat(142)}now`],
  ['unknown names', 'nwo ||'.repeat(166)],
  ['one very long name', 'a'.repeat(1_000)],
];

const numbers = Array.from({ length: 10_000 }, (_, index) => index);
const longText = 'a'.repeat(1_000_000);
const variables = {
  xs: numbers,
  ys: [...numbers],
  long: [...numbers, 10_000],
  texts: Array.from({ length: 10_000 }, () => 'a'.repeat(50)),
  lists: Array.from({ length: 1_000 }, () => numbers.slice(0, 1_000)),
  text: longText,
  other: `${longText.slice(1)}b`,
  hundred: 'a'.repeat(100_000),
  blank: ' '.repeat(100_000),
  digits: `${'0'.repeat(99_999)}1`,
  needle: `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`,
  map: Object.fromEntries(numbers.map((number) => [`k${number}`, number])),
  deep: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown,
  deepToo: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown,
};
const inputs = conditionInputs({ variables });

function conditionOf(text: string) {
  const { condition, faults } = read(text.replaceAll(/\bv\./g, 'experiment.variables.'));
  if (!condition) throw new Error(JSON.stringify(faults));
  return condition;
}

const tooMany = 'it takes more than 100,000 steps.';
const expensive: readonly (readonly [text: string, error: string | undefined])[] = [
  ['v.xs.all(x, x >= 0 && x < 10000)', undefined],
  ['v.xs.exists(x, x == -1)', undefined],
  ['size(v.xs.filter(x, x % 2 == 0)) == 5000', undefined],
  ['v.hundred.contains(v.needle)', undefined],
  ['v.text == v.other', undefined],
  ['v.hundred < v.needle', undefined],
  ['v.xs == v.ys', undefined],
  ["'k9999' in v.map && size(v.map) == 10000", undefined],
  ['v.long.all(x, true)', 'all accepts at most 10,000 elements, but got 10,001.'],
  ['v.xs.all(x, x in v.ys)', tooMany],
  ['v.xs.all(x, v.xs == v.ys)', tooMany],
  ['v.xs.all(x, size(v.map) > 0)', tooMany],
  ['v.xs.all(x, v.text != v.other)', tooMany],
  ['v.xs.all(x, v.text <= v.other)', tooMany],
  ['v.xs.all(x, !v.hundred.contains(v.needle))', tooMany],
  ['v.xs.all(x, v.hundred.lowerAscii() == v.hundred)', tooMany],
  ['v.xs.all(x, v.hundred.trim() == v.hundred)', tooMany],
  ['v.xs.all(x, int(v.digits) == 1)', tooMany],
  ['v.xs.all(x, str(v.hundred) == v.hundred)', tooMany],
  ['v.blank.trim() == "a"', undefined],
  ['int(v.blank) == 1', `"${' '.repeat(99)}… is not a whole number.`],
  ['int(v.digits) == 1', undefined],
  ['int(v.hundred) == 1', `"${'a'.repeat(99)}… is not a whole number.`],
  ['v.text.trim() == v.text', 'the function accepts at most 100,000 characters, but got 1,000,000.'],
  ['int(v.text) == 1', 'the function accepts at most 100,000 characters, but got 1,000,000.'],
  ['v.lists.all(x, x in v.lists)', tooMany],
  [`v.xs.all(x, ${'x + '.repeat(80)}x > -1)`, tooMany],
  ['v.text.contains(v.other)', 'the function accepts at most 100,000 characters, but got 1,000,000.'],
  ['v.hundred + v.hundred == now', 'the text would be longer than 100,000 characters.'],
  ['v.deep == v.deepToo', tooMany],
];
const doubling = `[1]${'.map(x, [x, x])'.repeat(35)} == [2]`;
const everyListAgain = Array.from({ length: 20 }, () => 'v.xs.all(x, x > -1)').join(' && ');

describe('the number of function calls', () => {
  const maxCallsToRead = 100 * maxCharacters;
  /** Each step of the budget takes a few calls. */
  const maxCallsToEvaluate = 20 * maxSteps;

  beforeAll(() => {
    counter = countCalls();
  });
  afterAll(() => counter.stop());

  it.each(longestTexts)('is at most 100 per character to read 1,000 characters of %s', (_of, text) => {
    const { result, calls } = counted(() => read(text));
    expect(result.faults.length > 0 || result.condition !== undefined).toBe(true);
    expect(calls).toBeLessThan(maxCallsToRead);
  });

  it('is below 100 for a text of more than 1,000 characters, which is rejected before parsing', () => {
    const { result, calls } = counted(() => read('a and '.repeat(1_000_000)));
    expect(result.faults).toEqual([
      { offset: 0, detail: 'the condition has 6,000,000 characters, but at most 1,000 are allowed.' },
    ]);
    expect(calls).toBeLessThan(100);
  });

  it('is at most 5,000 to read and 500 to evaluate a typical condition', () => {
    expect(counted(() => read(typical)).calls).toBeLessThan(5_000);
    const condition = conditionOf(typical);
    expect(counted(() => evaluateCondition(condition, inputs)).calls).toBeLessThan(500);
  });

  it.each(expensive)('is at most 20 per step of the budget to evaluate %s', (text, error) => {
    const condition = conditionOf(text);
    const { result, calls } = counted(() => evaluateCondition(condition, inputs));
    expect(result.decided).toBe(error === undefined);
    if (error !== undefined) expect(result.parts.map((part) => part.error)).toContain(error);
    expect(calls).toBeLessThan(maxCallsToEvaluate);
  });

  it('is limited for a list that doubles 35 times, and for 20 list macros in one condition', () => {
    const [doubled, again] = [conditionOf(doubling), conditionOf(everyListAgain)];
    const { result, calls } = counted(() => evaluateCondition(doubled, inputs));
    expect(result).toMatchObject({ holds: false });
    expect(calls).toBeLessThan(maxCallsToEvaluate);
    expect(counted(() => evaluateCondition(again, inputs)).calls).toBeLessThan(maxCallsToEvaluate);
  });
});

describe('CPU time', () => {
  it(
    'is below 50 ms to read or to evaluate an expensive condition, and below 1 ms to do both for a typical one',
    { tags: ['nightly'] },
    () => {
      const conditions = [...expensive.map(([text]) => text), doubling, everyListAgain].map(conditionOf);
      const reading = longestTexts.map(([, text]) => cpuMilliseconds(() => read(text)));
      const evaluating = conditions.map((condition) => cpuMilliseconds(() => evaluateCondition(condition, inputs)));
      const often = cpuMilliseconds(() => {
        for (let times = 0; times < 1_000; times++) evaluateCondition(conditionOf(typical), inputs);
      });
      expect(Math.max(...reading)).toBeLessThan(50);
      expect(Math.max(...evaluating)).toBeLessThan(50);
      expect(often / 1_000).toBeLessThan(1);
    },
  );
});
