/** The values at the axis of a chart. */

const steps = [1, 2, 2.5, 5, 10];

/** Round numbers from 0 to at least the largest value, in about four steps. Counts have no fractions. */
export function niceTicks(largest: number): number[] {
  const wanted = Math.max(largest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, (steps.find((one) => one * power >= wanted) ?? 10) * power);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  return Array.from({ length: Math.ceil(Math.max(largest, 1) / whole) + 1 }, (_, index) => index * whole);
}
