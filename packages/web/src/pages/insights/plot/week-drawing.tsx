/** The axes, bars, areas and lines of a chart of weeks. */
import { Area, Bar, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { count } from '../../../ui/numbers.ts';
import { weekTicks } from '../week-text.ts';
import { axisHeight, margin, type ChartKind, type Geometry } from './chart-geometry.ts';
import type { PlotSeries } from './plot-series.ts';

interface Props {
  kind: ChartKind;
  weeks: readonly string[];
  /** From the lowest. */
  series: readonly PlotSeries[];
  line: readonly number[] | undefined;
  geometry: Geometry;
}

type Row = Record<string, string | number | null>;

/** The last week is not over, so the line to it is dashed: it belongs to another series. */
const rowsOf = ({ weeks, series, line }: Props): Row[] =>
  weeks.map((week, index) => ({
    week,
    ...Object.fromEntries(series.map(({ key, values }) => [key, values[index] ?? 0])),
    over: index < weeks.length - 1 ? (line?.[index] ?? null) : null,
    current: index >= weeks.length - 2 ? (line?.[index] ?? null) : null,
  }));

const tick = { fill: 'var(--faint)', fontSize: 12 };
/** About 70 pixels for each date. */
const datePixels = 70;

export function WeekDrawing(props: Props) {
  const { kind, weeks, series, line, geometry } = props;
  const { width, height, ticks, left } = geometry;
  const dates = weekTicks(weeks, Math.max(2, Math.floor(width / datePixels)));
  const texts = new Map(dates.map(({ index, text }) => [weeks[index] ?? '', text]));
  return (
    <ComposedChart
      width={width}
      height={height}
      data={rowsOf(props)}
      margin={{ top: margin.top, right: margin.right, bottom: 0, left: 0 }}
      barCategoryGap="22%"
      accessibilityLayer={false}
      style={{ overflow: 'visible' }}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <YAxis
        width={left}
        domain={[0, ticks.at(-1) ?? 1]}
        ticks={ticks}
        interval={0}
        tickFormatter={count}
        tick={tick}
        tickLine={false}
        axisLine={false}
      />
      <XAxis
        dataKey="week"
        height={axisHeight}
        scale={kind === 'bars' ? 'band' : 'point'}
        ticks={[...texts.keys()]}
        interval={0}
        tickFormatter={(week: string) => texts.get(week) ?? ''}
        tick={tick}
        tickLine={false}
        axisLine={{ stroke: 'var(--edge)' }}
      />
      {series.map((one) => (kind === 'bars' ? bar(one) : area(one)))}
      {line === undefined ? null : lines}
    </ComposedChart>
  );
}

/** The edges in the colour of the page separate neighbours of similar lightness. */
const bar = ({ key, colour }: PlotSeries) => (
  <Bar
    key={key}
    dataKey={key}
    stackId="all"
    fill={colour}
    fillOpacity={0.86}
    stroke="var(--bg)"
    maxBarSize={28}
    isAnimationActive={false}
  />
);

const area = ({ key, colour }: PlotSeries) => (
  <Area
    key={key}
    dataKey={key}
    stackId="all"
    fill={colour}
    fillOpacity={0.86}
    stroke="var(--bg)"
    isAnimationActive={false}
    activeDot={false}
  />
);

const ink = { stroke: 'var(--ink)', strokeWidth: 1.5, isAnimationActive: false, activeDot: false } as const;
const dot = { r: 2, fill: 'var(--ink)', strokeWidth: 0 } as const;

const lines = (
  <>
    <Line dataKey="over" {...ink} stroke="var(--bg)" strokeWidth={4.5} dot={false} />
    <Line dataKey="over" {...ink} dot={dot} />
    <Line dataKey="current" {...ink} strokeDasharray="3 3" dot={{ ...dot, strokeDasharray: '' }} />
  </>
);
