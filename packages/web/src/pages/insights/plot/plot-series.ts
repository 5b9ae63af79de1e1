/** What a chart of weeks shows. */
export interface PlotSeries {
  key: string;
  title: string;
  colour: string;
  /** One for each week, oldest first. */
  values: readonly number[];
}

/** A text next to the chart, at the place of what it names. */
export interface PlotLabel {
  key: string;
  title: string;
  value: number;
  /** Its height at the axis. */
  at: number;
  colour: string;
  /** Not one of the stacked series. */
  isTotal?: true;
  /** The experiments that it counts. */
  to?: string | undefined;
}

const last = ({ values }: PlotSeries) => values.at(-1) ?? 0;

/** A label at the middle of each series in the last week, from the lowest series. */
export function stackedLabels(series: readonly PlotSeries[], linkOf: (key: string) => string | undefined): PlotLabel[] {
  let below = 0;
  return series.map((one) => {
    const value = last(one);
    const at = below + value / 2;
    below += value;
    return { key: one.key, title: one.title, value, at, colour: one.colour, to: linkOf(one.key) };
  });
}
