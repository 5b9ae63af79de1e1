import { describe, expect, it } from 'vitest';
import { backlogRows, oldestOf } from './backlog-rows.ts';
import type { StayRow } from './stay-rows.ts';

const row = (id: number, experiments: number, oldest_entered_at: string | null): StayRow => ({
  state: { id, label: `s${id}`, uri: `/api/v2/states/${id}` },
  stays: 0,
  p10_seconds: null,
  p25_seconds: null,
  median_seconds: null,
  p75_seconds: null,
  p90_seconds: null,
  total_seconds: 0,
  present_seconds: 0,
  share: 0,
  experiments,
  oldest_entered_at,
  final: false,
  waits_for_decision: false,
});
const stays = [row(3, 2, '2026-11-02T07:15:00.000Z'), row(1, 0, null), row(2, 5, '2026-10-02T07:15:00.000Z')];
const flow = {
  weeks: ['2026-11-02', '2026-11-09'],
  arrived: [0, 0],
  finished: [],
  inProgress: [{ state: { id: 2, label: 's2' }, values: [4, 5] }],
};

describe('the backlog', () => {
  it('has the states with experiments in progress, with those of each week', () => {
    expect(backlogRows(stays, flow).map(({ state, experiments, values }) => [state.id, experiments, values])).toEqual([
      [3, 2, [0, 0]],
      [2, 5, [4, 5]],
    ]);
  });

  it('has the experiment that has waited longest', () => {
    expect(oldestOf(backlogRows(stays, flow))?.state.id).toBe(2);
    expect(oldestOf([])).toBeUndefined();
  });
});
