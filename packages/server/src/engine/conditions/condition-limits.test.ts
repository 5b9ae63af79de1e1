/** No condition takes long, whatever it says and whatever the variables hold. */
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../../testing/condition-inputs.ts';
import { leastWork } from '../../../testing/least-work.ts';
import { evaluateCondition, type Verdict } from './evaluate-condition.ts';
import { readCondition } from './parse-condition.ts';

const longestMs = 50;

describe('reading ends in time:', () => {
  it.each([
    ['open parentheses', '('.repeat(1_000)],
    ['closed parentheses', `${'('.repeat(498)}true${')'.repeat(498)}`],
    ['brackets', `${'['.repeat(500)}${']'.repeat(500)}`],
    ['negations', `${'!'.repeat(996)}true`],
    ['signs', `${'-'.repeat(999)}1`],
    ['fields', `now${'.a'.repeat(498)}`],
    ['calls', `${'size('.repeat(166)}${')'.repeat(166)}`],
    ['choices', `${'now?'.repeat(140)}now${':now'.repeat(100)}`],
    ['macros', `${'[1].all(x,'.repeat(90)}x${')'.repeat(90)}`],
    ['sums', `1${'+1'.repeat(499)}`],
    ['digits', '9'.repeat(1_000)],
    ['escapes', `'${'\\n'.repeat(499)}'`],
    ['quotes', "'".repeat(999)],
    ['not', `${'not '.repeat(249)}True`],
    ['not in parentheses', `${'not('.repeat(166)}True${')'.repeat(166)}`],
    ['groups in Python', `True and ${'(['.repeat(247)}${'])'.repeat(247)}`],
    ['or', `${'now or '.repeat(142)}now`],
    ['unknown names', 'nwo ||'.repeat(166)],
    ['one very long name', 'a'.repeat(1_000)],
    ['much more than is read', 'a and '.repeat(1_000_000)],
  ])('%s', (_case, text) => {
    const { result, ms } = leastWork(longestMs, () => readCondition(text, { kind: 'transition' }));
    expect(result.faults.length > 0 || result.condition !== undefined).toBe(true);
    expect(ms).toBeLessThan(longestMs);
  });

  it('a usual condition takes less than a millisecond', () => {
    const text = "callbacks['check_protocol'].result == 'success' and not experiment.variables['usable'] == False";
    const { ms } = leastWork(200, () => Array.from({ length: 200 }, () => readCondition(text, { kind: 'transition' })));
    expect(ms / 200).toBeLessThan(1);
  });
});

describe('evaluating ends in time:', () => {
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
    needle: `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`,
    map: Object.fromEntries(numbers.map((number) => [`k${number}`, number])),
    deep: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown,
    deepToo: JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown,
  };
  const inputs = conditionInputs({ variables });
  const judge = (text: string): { result: Verdict; ms: number } => {
    const written = text.replaceAll(/\bv\./g, 'experiment.variables.');
    const { condition, faults } = readCondition(written, { kind: 'transition' });
    if (!condition) throw new Error(JSON.stringify(faults));
    return leastWork(longestMs, () => evaluateCondition(condition, inputs));
  };
  const tooMany = 'it takes more than 100,000 steps.';

  it.each<[string, string | undefined]>([
    ['v.xs.all(x, x >= 0 && x < 10000)', undefined],
    ['v.xs.exists(x, x == -1)', undefined],
    ['size(v.xs.filter(x, x % 2 == 0)) == 5000', undefined],
    ['v.hundred.contains(v.needle)', undefined],
    ['v.text == v.other', undefined],
    ['v.hundred < v.needle', undefined],
    ['v.xs == v.ys', undefined],
    ["'k9999' in v.map && size(v.map) == 10000", undefined],
    ['v.long.all(x, true)', 'all goes through at most 10,000 elements.'],
    ['v.xs.all(x, x in v.ys)', tooMany],
    ['v.xs.all(x, v.xs == v.ys)', tooMany],
    ['v.xs.all(x, size(v.map) > 0)', tooMany],
    ['v.xs.all(x, v.text != v.other)', tooMany],
    ['v.xs.all(x, v.text <= v.other)', tooMany],
    ['v.xs.all(x, !v.hundred.contains(v.needle))', tooMany],
    ['v.xs.all(x, v.hundred.lowerAscii() == v.hundred)', tooMany],
    ['v.lists.all(x, x in v.lists)', tooMany],
    [`v.xs.all(x, ${'x + '.repeat(80)}x > -1)`, tooMany],
    ['v.text.contains(v.other)', 'it reads texts of up to 100,000 characters.'],
    ['v.hundred + v.hundred == now', 'the text becomes too long.'],
    ['v.deep == v.deepToo', tooMany],
  ])('%s', (text, error) => {
    const { result, ms } = judge(text);
    expect(result.decided).toBe(error === undefined);
    if (error !== undefined) expect(result.parts.map((part) => part.error)).toContain(error);
    expect(ms).toBeLessThan(longestMs);
  });

  it('a list that doubles itself again and again', () => {
    const { result, ms } = judge(`[1]${'.map(x, [x, x])'.repeat(35)} == [2]`);
    expect(result).toMatchObject({ holds: false });
    expect(ms).toBeLessThan(longestMs);
  });

  it('every list as often as the length allows', () => {
    const { ms } = judge(Array.from({ length: 20 }, () => 'v.xs.all(x, x > -1)').join(' && '));
    expect(ms).toBeLessThan(longestMs);
  });

  it('a usual condition takes less than a tenth of a millisecond', () => {
    const text = "callbacks['check'].result == 'success' && experiment.variables['usable'] == true";
    const { condition } = readCondition(text, { kind: 'transition' });
    if (!condition) throw new Error('unreadable');
    const { ms } = leastWork(100, () => Array.from({ length: 1_000 }, () => evaluateCondition(condition, inputs)));
    expect(ms / 1_000).toBeLessThan(0.1);
  });
});
