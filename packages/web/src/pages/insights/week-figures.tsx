/** The figures of a chart of weeks as a table, the last week first. */
import { count } from '../../ui/numbers.ts';
import type { Figures } from './figure-table.tsx';
import { Figure } from './figure.tsx';
import type { PlotSeries } from './plot/plot-series.ts';

interface Of {
  /** `Week`, or the end of it. */
  head: string;
  weeks: readonly string[];
  nameOf: (weeks: readonly string[], index: number) => string;
  columns: readonly PlotSeries[];
  /** The experiments that a figure counts. */
  linkOf: (key: string, index: number) => string | undefined;
}

export const weekFigures = ({ head, weeks, nameOf, columns, linkOf }: Of): Figures => ({
  heads: [head, ...columns.map(({ title }) => title)],
  rows: weeks
    .map((week, index) => ({
      key: week,
      cells: [
        nameOf(weeks, index),
        ...columns.map(({ key, values }) => (
          <Figure key={key} text={count(values[index] ?? 0)} to={linkOf(key, index)} />
        )),
      ],
    }))
    .toReversed(),
});
