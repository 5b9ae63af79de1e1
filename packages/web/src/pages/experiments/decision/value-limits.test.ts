import { describe, expect, it } from 'vitest';
import { valueText } from './value-limits.ts';

const shown = { variable: 'm', title: 'Motion', unit: 'mm', min: null, max: null };

describe('valueText', () => {
  it.each([
    [{ max: 1.2 }, 1.56, ['1.56 mm', 'Limit 1.2 mm', '0.36 mm over the limit']],
    [{ max: 1.2 }, 0.8, ['0.8 mm', 'Limit 1.2 mm', 'Within the limits']],
    [{ min: 9, unit: null }, 8.1, ['8.1', 'At least 9', '0.9 below the minimum']],
    [{ min: 1, max: 5 }, 5, ['5 mm', '1 mm to 5 mm', 'Within the limits']],
    [{}, 3, ['3 mm', '', undefined]],
    [{ max: 2 }, undefined, ['Not set', 'Limit 2 mm', undefined]],
    [{ max: 2, unit: null }, 'high', ['high', 'Limit 2', undefined]],
    [{}, [1, 2], ['[1,2]', '', undefined]],
  ])('of %j and %j is %j', (limits, value, words) => {
    const text = valueText({ ...shown, ...limits }, value);
    expect([text.value, text.limit, text.verdict?.text]).toEqual(words);
  });
});
