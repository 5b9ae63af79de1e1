/** What a measurement tells, as it is printed and kept. */

export interface Row {
  name: string;
  goal: number;
  figure: number;
  unit: string;
  /** Between the largest and the smallest of what the figure was chosen from. */
  spread: number;
  met: boolean;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const spreadOf = (values: readonly number[]): number => rounded(Math.max(...values) - Math.min(...values));

export const rounded = (value: number): number => Number(value.toFixed(3));
