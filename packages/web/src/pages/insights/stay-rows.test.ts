import { describe, expect, it } from 'vitest';
import {
  bottleneckOf,
  clearestOf,
  comparedText,
  differing,
  quantilesOf,
  ratioText,
  stayRows,
  variableTitle,
  type StayRow,
} from './stay-rows.ts';

const state = { id: 1, label: 'visual_qc', uri: '/api/v2/states/1' };
const row = (more: Partial<StayRow>): StayRow => ({
  state,
  stays: 10,
  p10_seconds: 1,
  p25_seconds: 2,
  median_seconds: 3,
  p75_seconds: 4,
  p90_seconds: 5,
  total_seconds: 30,
  present_seconds: 0,
  share: 0.1,
  experiments: 0,
  oldest_entered_at: null,
  final: false,
  waits_for_decision: false,
  ...more,
});

describe('the rows of the time in state', () => {
  it('are the states in which experiments waited, the largest share first', () => {
    const rows = [row({ share: 0.1 }), row({ share: 0, stays: 0 }), row({ share: 0.9 })];
    expect(stayRows(rows).map(({ share }) => share)).toEqual([0.9, 0.1]);
  });

  it('have quantiles from five stays on', () => {
    expect(quantilesOf(row({ stays: 5 }))).toEqual({ p10: 1, p25: 2, median: 3, p75: 4, p90: 5 });
    expect(quantilesOf(row({ stays: 4 }))).toBeUndefined();
  });

  it('have a bottleneck only if one state has the largest share and enough stays', () => {
    const [large, small] = [row({ share: 0.6 }), row({ share: 0.4 })];
    expect(bottleneckOf([large, small])).toBe(large);
    expect(bottleneckOf([large])).toBeUndefined();
    expect(bottleneckOf([large, large])).toBeUndefined();
    expect(bottleneckOf([row({ share: 0.6, stays: 4 }), small])).toBeUndefined();
    const full = row({ share: 0.6, stays: 0, experiments: 5 });
    expect(bottleneckOf([full, small])).toBe(full);
  });
});

const variable = (value: string, stays: number, median: number) => ({
  state,
  variable: 'scanner',
  value,
  stays,
  median_seconds: median,
  all_stays: 300,
  all_median_seconds: 100,
});

describe('variables', () => {
  it('are named in the sentence from 20 stays and a quarter of difference on', () => {
    const clear = variable('Prisma', 20, 230);
    expect(clearestOf([variable('Skyra', 19, 900), variable('Ingenia', 90, 120), clear])).toBe(clear);
    expect(clearestOf([variable('Ingenia', 90, 85)])).toBeUndefined();
    expect(clearestOf([variable('Ingenia', 90, 80)])).toBeDefined();
  });

  it('are listed from a tenth of difference on', () => {
    const rows = [105, 110, 95, 90].map((median) => variable(String(median), 9, median));
    expect(differing(rows).map(({ value }) => value)).toEqual(['110', '90']);
  });

  it('are compared in words', () => {
    expect([2.304, 0.55].map(ratioText)).toEqual(['2.3 times as long', '45% shorter']);
    expect([2.304, 0.55, 23.4].map(comparedText)).toEqual([
      '2.3 times as long as usual',
      '45% shorter than usual',
      '23 times as long as usual',
    ]);
    expect(variableTitle('field_strength')).toBe('Field strength');
  });
});
