/** The rows of the time in state, and the sentence about the largest one. */
import type { Insights } from './flow-series.ts';
import { percentText } from './percent.ts';

export type StayRow = Insights['stays'][number];
export type VariableRow = Insights['variables'][number];

/** Quantiles of fewer stays say nothing. */
export const minStays = 5;

interface Quantiles {
  p10: number;
  p25: number;
  median: number;
  p75: number;
  p90: number;
}

/** Undefined if there are too few stays. */
export function quantilesOf(row: StayRow): Quantiles | undefined {
  const { stays, p10_seconds, p25_seconds, median_seconds, p75_seconds, p90_seconds } = row;
  if (stays < minStays || p10_seconds === null || p25_seconds === null || median_seconds === null) return undefined;
  if (p75_seconds === null || p90_seconds === null) return undefined;
  return { p10: p10_seconds, p25: p25_seconds, median: median_seconds, p75: p75_seconds, p90: p90_seconds };
}

/** States in which experiments stayed or are, those with the largest share first. */
export const stayRows = (stays: readonly StayRow[]): StayRow[] =>
  stays.filter((row) => row.share > 0).toSorted((one, other) => other.share - one.share);

/** The state in which experiments wait most. A single state is no bottleneck. */
export const bottleneckOf = (rows: readonly StayRow[]): StayRow | undefined => {
  const [first, second] = rows;
  return first && second && first.stays + first.experiments >= minStays && first.share > second.share
    ? first
    : undefined;
};

export const aboutBottleneck = (row: StayRow, title: string): string =>
  `${title} takes ${percentText(row.share)} of all waiting time.`;

/** How many times as long the stays with a value are as those with any value. */
export const ratioOf = ({ median_seconds, all_median_seconds }: VariableRow): number =>
  all_median_seconds === 0 ? 1 : median_seconds / all_median_seconds;

const isShorter = (ratio: number) => ratio < 0.95;

/** `2.3 times as long`, in a column that says with what it is compared. */
export const ratioText = (ratio: number): string =>
  isShorter(ratio) ? `${percentText(1 - ratio)} shorter` : `${Number(ratio.toPrecision(2))} times as long`;

/** `2.3 times as long as usual`, in a sentence. */
export const comparedText = (ratio: number): string => `${ratioText(ratio)} ${isShorter(ratio) ? 'than' : 'as'} usual`;

/** `Scanner`, `Motion mm`. */
export const variableTitle = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** A smaller difference is not worth a row. */
const visibleRatio = 1.1;

const differsBy = (row: VariableRow, ratio: number) => ratioOf(row) >= ratio || ratioOf(row) <= 1 / ratio;

/** Values whose stays are longer or shorter than others. */
export const differing = (variables: readonly VariableRow[]): VariableRow[] =>
  variables.filter((row) => differsBy(row, visibleRatio));

/** A smaller difference, or one of fewer stays, is not worth a sentence. */
const clearRatio = 1.25;
const clearStays = 20;

/** The value with the clearest difference, in the order of the server. */
export const clearestOf = (variables: readonly VariableRow[]): VariableRow | undefined =>
  variables.find((row) => row.stays >= clearStays && differsBy(row, clearRatio));
