import { describe, expect, it } from 'vitest';
import { aboutFinished, aboutInProgress, aboutInsights } from './about-flow.ts';
import { flowOf, foldSeries, sinceFirst, type Insights } from './flow-series.ts';

const weeks = ['2026-11-02', '2026-11-09', '2026-11-16'];
const stateOf = (id: number) => ({ id, label: `state${id}`, uri: `/api/v2/states/${id}` });

/** Each row is `[arrived, entered, experiments]`. */
const rowsOf = (id: number, rows: [number, number, number][]): Insights['flow'] =>
  rows.map(([arrived, entered, experiments], index) => ({
    week: weeks[index] ?? '',
    state: stateOf(id),
    arrived,
    entered,
    final: id === 3,
    finished: id === 3 ? entered : 0,
    left: 0,
    experiments,
  }));

const titleOf = ({ label }: { label: string }) => label;
const flow = flowOf({
  weeks,
  flow: [
    ...rowsOf(1, [
      [4, 4, 1],
      [8, 8, 2],
      [3, 3, 9],
    ]),
    ...rowsOf(2, [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]),
    ...rowsOf(3, [
      [0, 2, 2],
      [0, 5, 7],
      [0, 1, 8],
    ]),
  ],
});

describe('flowOf', () => {
  it('has the entries into final states and the experiments in the others by week, without states that are empty', () => {
    expect(flow).toMatchObject({
      arrived: [4, 8, 3],
      finished: [{ state: { id: 3 }, values: [2, 5, 1] }],
      inProgress: [{ state: { id: 1 }, values: [1, 2, 9] }],
    });
  });
});

describe('sinceFirst', () => {
  const period = Array.from({ length: 12 }, (_, index) => `week ${index}`);
  const begunIn = (first: number) => {
    const rows = period.map((week, index) => ({ week, entered: 0, left: 0, experiments: index < first ? 0 : 1 }));
    const insights = { weeks: period, flow: rows, failures: [{ weeks: period.map((_, index) => index) }] };
    const shown = sinceFirst(insights as unknown as Insights);
    return [shown.weeks.length, shown.failures[0]?.weeks[0]];
  };

  it('leaves out the weeks before the last one without experiments', () => {
    expect(begunIn(5)).toEqual([8, 4]);
    expect(begunIn(0)).toEqual([12, 0]);
  });

  it('keeps four weeks of a study that has just begun, and all if it has no experiments', () => {
    expect(begunIn(11)).toEqual([4, 8]);
    expect(begunIn(12)).toEqual([12, 0]);
  });
});

describe('the sentences', () => {
  it('say how many finished and are in progress', () => {
    expect(aboutInsights(flow)).toBe('8 finished in 3 weeks, 1 this week. 9 are in progress.');
    const young = { ...flow, finished: [{ state: stateOf(3), values: [0, 0, 4] }] };
    expect(aboutInsights(young)).toBe('4 finished in 3 weeks, all this week. 9 are in progress.');
  });

  it('leave the current week out of the averages', () => {
    expect(aboutFinished(flow)).toBe(
      'On average 6 arrive and 3.5 finish a week. 3 arrived and 1 finished this week so far.',
    );
  });

  it('have no averages before the first whole week, and leave out weeks before the first experiment', () => {
    const begun = { ...flow, arrived: [0, 0, 3], finished: [] };
    expect(aboutFinished(begun)).toBe('3 arrived and 0 finished this week so far.');
    expect(aboutFinished({ ...begun, arrived: [0, 20, 3] })).toMatch(/^On average 20 arrive and 0 finish a week/);
    expect(aboutFinished({ ...begun, arrived: [0, 0, 0] })).toBe('Nothing arrived or finished in this period.');
  });

  it('name the state that changed most this week, unless it changed little', () => {
    expect(aboutInProgress(flow, titleOf)).toBe('9 are in progress. state1 grew from 2 to 9 this week.');
    const fell = { ...flow, inProgress: [{ state: stateOf(1), values: [1, 9, 2] }] };
    expect(aboutInProgress(fell, titleOf)).toBe('2 are in progress. state1 fell from 9 to 2 this week.');
    const stable = { ...flow, inProgress: [{ state: stateOf(1), values: [1, 2, 1] }] };
    expect(aboutInProgress(stable, titleOf)).toBe('1 is in progress.');
  });
});

describe('foldSeries', () => {
  const series = [3, 9, 1, 5].map((largest, id) => ({ state: stateOf(id), values: [largest, 1] }));

  it('keeps the largest series in their order, and adds up the others', () => {
    const { shown, others } = foldSeries(series, 3, 2);
    expect(shown.map(({ state }) => state.id)).toEqual([1, 3]);
    expect(others).toMatchObject({ states: [{ id: 0 }, { id: 2 }], values: [4, 2] });
  });

  it('keeps all series that fit', () => {
    expect(foldSeries(series, 4, 2)).toEqual({ shown: series, others: undefined });
  });
});
