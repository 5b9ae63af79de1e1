/** The result of a benchmark, as printed and stored. */

export interface Row {
  name: string;
  goal: number;
  figure: number;
  unit: string;
  /** The difference between the largest and the smallest value. */
  spread: number;
  met: boolean;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const spreadOf = (values: readonly number[]): number => rounded(Math.max(...values) - Math.min(...values));

export const rounded = (value: number): number => Number(value.toFixed(3));
