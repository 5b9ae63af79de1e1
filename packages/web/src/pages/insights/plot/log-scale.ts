/** A logarithmic scale for durations, in parts of its length. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const marks: readonly [seconds: number, text: string][] = [
  [0.1, '0.1 s'],
  [1, '1 s'],
  [10, '10 s'],
  [minute, '1 min'],
  [5 * minute, '5 min'],
  [30 * minute, '30 min'],
  [3 * hour, '3 h'],
  [day, '1 d'],
  [7 * day, '7 d'],
  [30 * day, '30 d'],
  [180 * day, '180 d'],
  [1000 * day, '1,000 d'],
];

/** Shorter durations are drawn as this one. */
const shortest = 0.05;
/** The part of the scale that its ends stay away from the values. */
const room = 1.3;

export interface LogScale {
  /** From 0 to 1. */
  at: (seconds: number) => number;
  ticks: readonly { at: number; text: string }[];
}

export function logScale(values: readonly number[], mostTicks = 7): LogScale {
  const positive = values.map((value) => Math.max(value, shortest));
  const [from, to] = [Math.min(...positive) / room, Math.max(...positive) * room];
  const at = (seconds: number) => Math.log(Math.max(seconds, shortest) / from) / Math.log(to / from);
  const inside = marks.filter(([seconds]) => at(seconds) >= 0.02 && at(seconds) <= 0.97);
  const step = Math.max(1, Math.ceil(inside.length / mostTicks));
  const ticks = inside.filter((_, index) => index % step === 0).map(([seconds, text]) => ({ at: at(seconds), text }));
  return { at, ticks };
}
