/** The sentences about forecasts. */
import { forecastNeeds } from '@milepost/api';
import { countOf } from '../../ui/numbers.ts';
import type { Insights } from './flow-series.ts';
import { percentText } from './percent.ts';
import { betweenText, dayAfter, daysBetween, monthTicks } from './week-text.ts';

export type ForecastRow = Insights['forecasts'][number];

type Reason = Pick<ForecastRow, 'no_forecast'>;

/** The history that the server requires of every cohort. Other reasons are about one cohort. */
export const isRequirement = ({ no_forecast: why }: Reason): boolean => why === forecastNeeds.text;

/** How often the range was right for past weeks, and what a cohort needs for a forecast if one has too little history. */
export function aboutForecasts(rows: readonly (Reason & Pick<ForecastRow, 'tests' | 'tests_in_range'>)[]): string {
  const tests = rows.reduce((total, row) => total + row.tests, 0);
  const right = rows.reduce((total, row) => total + row.tests_in_range, 0);
  const needs = rows.find(isRequirement)?.no_forecast ?? undefined;
  if (tests === 0) return needs ?? 'No forecast of a past week can be tested yet.';
  const tested = `In past tests the 80% range was right ${percentText(right / tests)} of the time (${countOf(tests, 'test')}).`;
  return needs === undefined ? tested : `${tested} ${needs}`;
}

/** `80% between 12 Feb and 3 Apr 2027`, or why there is no forecast. */
export const rangeText = ({ forecast, no_forecast: why }: Reason & Pick<ForecastRow, 'forecast'>): string =>
  forecast ? `80% between ${betweenText(forecast.p10, forecast.p90)}` : (why ?? '');

export interface DateScale {
  /** From 0 to 1. */
  at: (date: string) => number;
  ticks: readonly { at: number; text: string }[];
}

/** From today to the latest date, with some room after it. Undefined without a forecast. */
export function dateScale(rows: readonly Pick<ForecastRow, 'forecast'>[], today: string): DateScale | undefined {
  const latest = rows.flatMap(({ forecast }) => forecast?.p90 ?? []).toSorted();
  const last = latest.at(-1);
  if (last === undefined) return undefined;
  const days = Math.max(7, daysBetween(today, last)) * 1.06;
  const at = (date: string) => Math.min(1, Math.max(0, daysBetween(today, date) / days));
  const months = monthTicks(today, dayAfter(today, Math.floor(days)), 4);
  // The first months would lie on the word Today.
  const ticks = months
    .map(({ date, text }) => ({ at: at(date), text }))
    .filter((tick) => tick.at > 0.28 && tick.at < 0.94);
  return { at, ticks: [{ at: 0, text: 'Today' }, ...ticks] };
}
