import { describe, expect, it } from 'vitest';
import { barOf, valueText } from './value-limits.ts';

const shown = { variable: 'm', title: 'Motion', unit: 'mm', min: null, max: null };

describe('valueText', () => {
  it.each([
    [{ max: 1.2 }, 1.56, ['1.56 mm', 'Limit 1.2 mm', '0.36 mm over the limit']],
    [{ max: 1.2 }, 0.8, ['0.8 mm', 'Limit 1.2 mm', 'Below the limit']],
    [{ max: 1.2 }, 1.2, ['1.2 mm', 'Limit 1.2 mm', 'At the limit']],
    [{ min: 9, unit: null }, 8.1, ['8.1', 'Needs at least 9', '0.9 below the minimum']],
    [{ min: 9, unit: null }, 10.9, ['10.9', 'Needs at least 9', 'Above the minimum']],
    [{ min: 9, unit: null }, 9, ['9', 'Needs at least 9', 'At the minimum']],
    [{ min: 1, max: 5 }, 5, ['5 mm', 'Limits 1 mm to 5 mm', 'Within the limits']],
    [{}, 3, ['3 mm', '', undefined]],
    [{ max: 2 }, undefined, ['Not set', 'Limit 2 mm', undefined]],
    [{ max: 2, unit: null }, 'high', ['high', 'Limit 2', undefined]],
    [{}, [1, 2], ['[1,2]', '', undefined]],
  ])('of %j and %j is %j', (limits, value, words) => {
    const text = valueText({ ...shown, ...limits }, value);
    expect([text.value, text.limit, text.verdict?.text]).toEqual(words);
  });
});

const bar = (limits: { min?: number; max?: number }, value: unknown) => barOf({ ...shown, ...limits }, value);

describe('barOf', () => {
  it('has the tick at three fifths, and the value on the right side of it', () => {
    expect(bar({ max: 1.2 }, 0.6)).toEqual({ fill: 0.3, ticks: [0.6] });
    expect(bar({ min: 9 }, 12)).toEqual({ fill: 0.8, ticks: [0.6] });
  });

  it('shrinks so that a value far over the limit fits', () => {
    expect(bar({ max: 2 }, 8)).toEqual({ fill: 1, ticks: [0.25] });
  });

  it('starts below zero if the value or a limit is negative', () => {
    expect(bar({ min: -30, max: -10 }, -20)).toEqual({ fill: 0.6, ticks: [0.4, 0.8] });
    expect(bar({ max: 3 }, -5)).toEqual({ fill: 0, ticks: [0.8] });
  });

  it('is missing without a limit or a number, and if everything is zero', () => {
    expect([bar({}, 3), bar({ max: 2 }, 'high'), bar({ max: 2 }, undefined), bar({ max: 0 }, 0)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
