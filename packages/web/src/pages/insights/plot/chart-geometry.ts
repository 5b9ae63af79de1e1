/** The places in a chart of weeks, in pixels. The labels and the marker are drawn over what the chart library draws. */
import { count } from '../../../ui/numbers.ts';
import { niceTicks } from './nice-scale.ts';
import { spreadLabels } from './spread-labels.ts';

/** The room for the dates. */
export const axisHeight = 22;
/** The width of a digit of the numbers at the axis, and the room around them. */
const digitWidth = 7;
const numberRoom = 13;
export const margin = { top: 8, right: 8 };
const labelHeight = 14;
const beside = 172;
const minHeight = 196;
/** Below this width, the labels are below the chart. */
const minWidth = 460;

export type ChartKind = 'bars' | 'areas';

interface Of {
  kind: ChartKind;
  width: number;
  weeks: number;
  /** The largest value. */
  largest: number;
  labels: number;
}

export interface Geometry {
  isNarrow: boolean;
  width: number;
  height: number;
  ticks: readonly number[];
  /** The room for the numbers. */
  left: number;
  /** The width of a bar with the room around it. */
  band: number;
  xOf: (index: number) => number;
  yOf: (value: number) => number;
  bottom: number;
}

export function chartGeometry({ kind, width: whole, weeks, largest, labels }: Of): Geometry {
  const isNarrow = whole < minWidth;
  const width = isNarrow ? whole : whole - beside;
  const height = isNarrow ? minHeight : Math.max(minHeight, labels * labelHeight + margin.top + axisHeight);
  const bottom = height - axisHeight;
  const ticks = niceTicks(largest);
  const top = ticks.at(-1) ?? 1;
  const left = numberRoom + digitWidth * count(top).length;
  const plotWidth = Math.max(1, width - left - margin.right);
  const band = plotWidth / weeks;
  return {
    isNarrow,
    width,
    height,
    ticks,
    left,
    band,
    bottom,
    xOf: (index) => left + (kind === 'bars' ? (index + 0.5) * band : (index / Math.max(1, weeks - 1)) * plotWidth),
    yOf: (value) => bottom - (value / top) * (bottom - margin.top),
  };
}

/** The middles of the labels, for their wanted places from the top. */
export const placeLabels = (wanted: readonly number[], { height }: Pick<Geometry, 'height'>): number[] =>
  spreadLabels(wanted, { gap: labelHeight, from: labelHeight / 2, to: height - labelHeight / 2 });
