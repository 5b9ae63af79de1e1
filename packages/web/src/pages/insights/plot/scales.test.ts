import { describe, expect, it } from 'vitest';
import { chartGeometry } from './chart-geometry.ts';
import { logScale } from './log-scale.ts';
import { niceTicks } from './nice-scale.ts';
import { stackedLabels } from './plot-series.ts';
import { spreadLabels } from './spread-labels.ts';

describe('niceTicks', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [9, [0, 3, 6, 9]],
    [79, [0, 20, 40, 60, 80]],
    [100, [0, 25, 50, 75, 100]],
    [101, [0, 50, 100, 150]],
    [12_345, [0, 5000, 10_000, 15_000]],
  ])('for %i are %j', (largest, ticks) => {
    expect(niceTicks(largest)).toEqual(ticks);
  });
});

describe('logScale', () => {
  it('has the same distance between equal ratios, and named durations inside', () => {
    const { at, ticks } = logScale([60, 86_400]);
    expect(at(600) - at(60)).toBeCloseTo(at(6000) - at(600));
    expect(ticks.map(({ text }) => text)).toEqual(['1 min', '5 min', '30 min', '3 h', '1 d']);
    for (const tick of ticks) expect(tick.at).toBeGreaterThan(0);
  });

  it('accepts durations of 0 and equal durations', () => {
    expect(logScale([0, 10]).at(0)).toBeGreaterThanOrEqual(0);
    expect(logScale([5, 5]).at(5)).toBeCloseTo(0.5);
  });
});

describe('spreadLabels', () => {
  const bounds = { gap: 10, from: 0, to: 100 };

  it('keeps places that are far enough apart', () => {
    expect(spreadLabels([10, 40, 90], bounds)).toEqual([10, 40, 90]);
  });

  it('moves overlapping labels apart, in their order and within the bounds', () => {
    expect(spreadLabels([50, 50, 51], bounds)).toEqual([50, 60, 70]);
    expect(spreadLabels([95, 99, 99], bounds)).toEqual([80, 90, 100]);
    expect(spreadLabels([-5, 0], bounds)).toEqual([0, 10]);
  });

  it('makes the gaps smaller if there is not enough room', () => {
    const places = spreadLabels(
      Array.from({ length: 21 }, () => 50),
      bounds,
    );
    expect([places[0], places[1], places.at(-1)]).toEqual([0, 5, 100]);
  });
});

describe('the labels of stacked series', () => {
  it('are in the middle of the last week of each series', () => {
    const series = [4, 2].map((value, index) => ({ key: `s${index}`, title: '', colour: '', values: [9, value] }));
    expect(stackedLabels(series, () => undefined).map(({ at }) => at)).toEqual([2, 5]);
  });
});

const geometry = (kind: 'bars' | 'areas', width = 700, largest = 80) =>
  chartGeometry({ kind, width, weeks: 10, largest, labels: 3 });

describe('chartGeometry', () => {
  it('places bars in the middle of equal bands, and areas from edge to edge', () => {
    const [bars, areas] = [geometry('bars'), geometry('areas')];
    expect(bars.xOf(0) - bars.band / 2).toBeCloseTo(areas.xOf(0));
    expect(bars.xOf(9) + bars.band / 2).toBeCloseTo(areas.xOf(9));
    expect(areas.xOf(9)).toBeCloseTo(areas.width - 8);
  });

  it('has the largest tick at the top, and 0 at the bottom', () => {
    const { yOf, bottom } = geometry('areas');
    expect([yOf(0), yOf(80)]).toEqual([bottom, 8]);
  });

  it('has more room for longer numbers', () => {
    expect(geometry('bars', 700, 1500).left - geometry('bars').left).toBe(3 * 7);
  });

  it('uses the whole width if it is narrow, because the labels are below', () => {
    expect(geometry('bars', 360)).toMatchObject({ isNarrow: true, width: 360 });
    expect(geometry('bars').width).toBeLessThan(700);
  });
});
