import { describe, expect, it } from 'vitest';
import { createRandom, forecast, minFinished, minWeeks, testForecasts, weeksUntil } from './forecast.ts';

/** The number of independent events with this mean. */
function poisson(mean: number, random: () => number): number {
  let [count, product] = [0, random()];
  for (const limit = Math.exp(-mean); product > limit; product *= random()) count += 1;
  return count;
}

const paces = [0.3, 0.8, 1, 1.2, 1.7];

/**
 * A cohort finishes between 2 and 12 experiments in a usual week. Some weeks are busy and some quiet, because machines fail and people are
 * away.
 */
function simulateCohort(random: () => number) {
  const usual = 2 + 10 * random();
  const weekOf = () => poisson(usual * (paces[Math.floor(5 * random())] ?? 1), random);
  const history = Array.from({ length: minWeeks + Math.floor(40 * random()) }, weekOf);
  const future = Array.from({ length: 400 }, weekOf);
  return { history, future, remaining: Math.ceil(usual * (3 + 20 * random())) };
}

function countInRange(cohorts: number, seed: number) {
  const random = createRandom(seed);
  let [inRange, inHalf, forecasts] = [0, 0, 0];
  for (let cohort = 0; cohort < cohorts; cohort += 1) {
    const { history, future, remaining } = simulateCohort(random);
    const range = forecast(history, remaining);
    const outcome = weeksUntil(future, remaining);
    if (!range || outcome === undefined) continue;
    forecasts += 1;
    if (outcome >= range.p10 && outcome <= range.p90) inRange += 1;
    if (outcome >= range.p25 && outcome <= range.p75) inHalf += 1;
  }
  return { inRange: inRange / forecasts, inHalf: inHalf / forecasts, forecasts };
}

describe('a forecast', () => {
  it('contains between 74 and 86 % of the outcomes of 400 simulated cohorts in its 80 % range', () => {
    const { inRange, inHalf, forecasts } = countInRange(400, 20_261_119);
    expect(forecasts).toBeGreaterThan(390);
    expect(inRange).toBeGreaterThanOrEqual(0.74);
    expect(inRange).toBeLessThanOrEqual(0.86);
    expect(inHalf).toBeGreaterThan(0.4);
    expect(inHalf).toBeLessThan(0.6);
  });

  it('is the same for the same history', () => {
    const weeks = [3, 5, 2, 4, 6, 3, 4, 5, 2];
    expect(forecast(weeks, 40)).toEqual(forecast(weeks, 40));
  });

  it('is exact if every week is the same', () => {
    const weeks = Array.from({ length: 10 }, () => 5);
    expect(forecast(weeks, 20)).toEqual({ p10: 4, p25: 4, median: 4, p75: 4, p90: 4 });
    const { tests, inRange } = testForecasts([...weeks, ...weeks]);
    expect(tests).toBeGreaterThan(3);
    expect(inRange).toBe(tests);
  });

  it(`needs ${minWeeks} weeks and ${minFinished} finished experiments`, () => {
    expect(forecast([5, 5, 5, 5, 5, 5, 5], 10)).toBeUndefined();
    expect(forecast([1, 1, 1, 1, 1, 1, 1, 1], 10)).toBeUndefined();
    expect(forecast([3, 3, 3, 3, 3, 3, 3, 3], 10)).toBeDefined();
  });

  it('is missing if nothing suggests an end within ten years', () => {
    const weeks = [20, ...Array.from({ length: 60 }, () => 0)];
    expect(forecast(weeks, 100_000)).toBeUndefined();
  });
});

describe('the test of forecasts on the history', () => {
  it('counts a forecast as wrong if its range has passed without the outcome', () => {
    const stopped = [...Array.from({ length: 12 }, () => 10), ...Array.from({ length: 30 }, () => 0)];
    const { tests, inRange } = testForecasts(stopped);
    expect(tests).toBeGreaterThan(0);
    expect(inRange).toBe(0);
  });
});
