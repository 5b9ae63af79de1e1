import { forecastNeeds } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { aboutForecasts, dateScale, rangeText } from './about-forecast.ts';

const forecast = { p10: '2027-02-12', p25: '2027-02-24', median: '2027-03-07', p75: '2027-03-20', p90: '2027-04-03' };

const needs = forecastNeeds.text;

describe('the sentences about forecasts', () => {
  it('add up the past tests of all cohorts', () => {
    const tests = [
      { tests: 30, tests_in_range: 24, no_forecast: null },
      { tests: 10, tests_in_range: 7, no_forecast: null },
    ];
    expect(aboutForecasts(tests)).toBe('In past tests the 80% range was right 78% of the time (40 tests).');
    const untested = { tests: 0, tests_in_range: 0, no_forecast: null };
    expect(aboutForecasts([untested])).toBe('No forecast of a past week can be tested yet.');
  });

  it('say once what a forecast needs', () => {
    const short = { tests: 0, tests_in_range: 0, no_forecast: needs };
    expect(aboutForecasts([short, short])).toBe(needs);
    expect(aboutForecasts([{ tests: 10, tests_in_range: 7, no_forecast: null }, short, short])).toBe(
      `In past tests the 80% range was right 70% of the time (10 tests). ${needs}`,
    );
  });

  it('have the range, or the reason why there is none', () => {
    expect(rangeText({ forecast, no_forecast: null })).toBe('80% between 12 Feb and 3 Apr 2027');
    expect(rangeText({ forecast: null, no_forecast: 'All are final.' })).toBe('All are final.');
  });
});

describe('dateScale', () => {
  it('begins today and has room for the latest date', () => {
    const scale = dateScale([{ forecast: null }, { forecast }], '2026-11-19');
    expect(scale?.at('2026-11-19')).toBe(0);
    expect(scale?.at('2027-04-03')).toBeCloseTo(1 / 1.06);
    expect(scale?.ticks.map(({ text }) => text)).toEqual(['Today', '2027', 'Mar']);
  });

  it('is missing without a forecast', () => {
    expect(dateScale([{ forecast: null }], '2026-11-19')).toBeUndefined();
  });
});
