/**
 * When the present experiments of a cohort will be finished: weeks of its history are repeated in random order until all are. Each
 * simulation gives the weeks random weights first (like the Bayesian bootstrap), because a short history says little about the true pace.
 * The same forecast for a past week is compared with what happened.
 */
import { forecastNeeds } from '@milepost/api';

export interface Forecast {
  /** In weeks from the end of the history. */
  p10: number;
  p25: number;
  median: number;
  p75: number;
  p90: number;
}

export interface Tests {
  tests: number;
  inRange: number;
}

export const { weeks: minWeeks, finished: minFinished } = forecastNeeds;
const simulations = 400;
/** Ten years. */
const maxSimulatedWeeks = 520;
const maxTests = 12;

/** Undefined if the history is too short, or if most simulations do not end within ten years. */
export function forecast(weeks: readonly number[], remaining: number): Forecast | undefined {
  if (isTooShort(weeks)) return undefined;
  const random = createRandom(weeks.length * 7919 + remaining);
  const ends = Array.from({ length: simulations }, () => simulate(weeks, remaining, random)).toSorted((a, b) => a - b);
  const at = (part: number) => ends[Math.min(simulations - 1, Math.round(part * simulations))] ?? 0;
  if (at(0.5) >= maxSimulatedWeeks) return undefined;
  return { p10: at(0.1), p25: at(0.25), median: at(0.5), p75: at(0.75), p90: at(0.9) };
}

export const isTooShort = (weeks: readonly number[]): boolean => weeks.length < minWeeks || sum(weeks) < minFinished;

/** Returns the weeks until so many more are finished, with a part of the last week. */
function simulate(weeks: readonly number[], remaining: number, random: () => number): number {
  const cumulative = randomWeights(weeks.length, random);
  let left = remaining;
  for (let week = 0; week < maxSimulatedWeeks; week += 1) {
    const finished = weeks[indexOf(cumulative, random())] ?? 0;
    if (finished >= left && left > 0) return week + left / finished;
    left -= finished;
    if (left <= 0) return week;
  }
  return maxSimulatedWeeks;
}

/**
 * Cumulative, up to 1. Each is exponentially distributed before it is divided by the sum. Two random weeks have none: otherwise the ranges
 * of short histories are too narrow.
 */
function randomWeights(length: number, random: () => number): number[] {
  const [one, other] = [Math.floor(length * random()), Math.floor((length - 1) * random())];
  const leftOut = new Set([one, other < one ? other : other + 1]);
  const weights = Array.from({ length }, (_, week) => (leftOut.has(week) ? 0 : -Math.log(1 - random())));
  const total = sum(weights);
  let below = 0;
  return weights.map((weight) => {
    below += weight;
    return below / total;
  });
}

function indexOf(cumulative: readonly number[], part: number): number {
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 1) < part) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Forecasts as of past weeks, the latest first: how long the next quarter of what was finished then took. */
export function testForecasts(weeks: readonly number[]): Tests {
  const results: boolean[] = [];
  for (let week = weeks.length - 1; week >= minWeeks && results.length < maxTests; week -= 1) {
    results.push(...(testAt(weeks, week) ?? []));
  }
  return { tests: results.length, inRange: results.filter(Boolean).length };
}

/** Undefined if the outcome is not known yet. A forecast was wrong if its range has passed without the outcome. */
function testAt(weeks: readonly number[], week: number): [boolean] | undefined {
  const past = weeks.slice(0, week);
  const wanted = Math.max(5, Math.round(sum(past) / 4));
  const range = forecast(past, wanted);
  if (range === undefined) return undefined;
  const outcome = weeksUntil(weeks.slice(week), wanted);
  if (outcome === undefined) return weeks.length - week > range.p90 ? [false] : undefined;
  return [outcome >= range.p10 && outcome <= range.p90];
}

export function weeksUntil(weeks: readonly number[], wanted: number): number | undefined {
  let left = wanted;
  for (const [week, finished] of weeks.entries()) {
    if (finished >= left) return week + left / finished;
    left -= finished;
  }
  return undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Numbers from 0 to 1, the same for each seed, so that a forecast only changes with its history. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
