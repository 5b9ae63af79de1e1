import { describe, expect, it } from 'vitest';
import { medianByState, stayText, timeInStateRows } from './time-in-state-rows.ts';
import type { StateDurations } from './use-workflow.ts';

const ref = (id: number, label: string) => ({ id, label, uri: `/api/v2/x/${id}` });
const figures = (stays: number, median_seconds: number | null) => ({
  stays,
  median_seconds,
  p90_seconds: median_seconds,
});

const one = { cohort: ref(7, 'one'), ...figures(2, 60) };
const other = { cohort: ref(8, 'other'), ...figures(1, 600) };
const states: StateDurations[] = [
  { state: ref(1, 'arrived'), ...figures(3, 120), more: true, cohorts: [one, other] },
  { state: ref(2, 'checked'), ...figures(2, 60), more: false, cohorts: [one] },
  { state: ref(3, 'done'), ...figures(0, null), more: false, cohorts: [] },
];

const shown = (stateId?: number, cohortId?: number) =>
  timeInStateRows(states, { stateId, cohortId }).map(({ state, cohort, stays }) => [state.label, cohort, stays]);

describe('the rows of the time in state', () => {
  it('have each state with stays, and its cohorts if there are several', () => {
    expect(shown()).toEqual([
      ['arrived', undefined, 3],
      ['arrived', 'one', 2],
      ['arrived', 'other', 1],
      ['checked', undefined, 2],
    ]);
  });

  it('are limited to the selected state and cohort', () => {
    expect(shown(2)).toEqual([['checked', undefined, 2]]);
    expect(shown(undefined, 8)).toEqual([['arrived', 'other', 1]]);
  });
});

it('the medians on the graph are those of the selected cohort', () => {
  expect([...medianByState(states, undefined)]).toEqual([
    [1, 120],
    [2, 60],
  ]);
  expect([...medianByState(states, 8)]).toEqual([[1, 600]]);
});

it('stays of a few seconds have tenths of a second', () => {
  expect([0.41, 2.44, 42, 7_800, 270_000].map(stayText)).toEqual(['< 1 s', '2.4 s', '42 s', '2 h 10 min', '3 d 3 h']);
});
