/** The weeks of a workflow as series for charts, from the rows of the API. */
import type { BodyOf } from '../../api/operation-query.ts';
import type { NamedState } from '../../status/state-looks.ts';

export type Insights = BodyOf<'getInsights'>;
type FlowRow = Insights['flow'][number];

/** A number for each week, oldest first. */
export interface StateSeries {
  state: NamedState;
  values: readonly number[];
}

export interface Flow {
  weeks: readonly string[];
  arrived: readonly number[];
  /** Entries into each final state from states that are not final. */
  finished: readonly StateSeries[];
  /** The experiments in each other state at the end of each week, in the order of the workflow. */
  inProgress: readonly StateSeries[];
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of all series in each week. */
export const totals = (series: readonly Pick<StateSeries, 'values'>[], weeks: number): number[] =>
  Array.from({ length: weeks }, (_, index) => sum(series.map(({ values }) => values[index] ?? 0)));

type Figure = 'arrived' | 'finished' | 'experiments';

/** States without any experiment in the period are left out. */
function seriesOf({ weeks, flow }: Pick<Insights, 'weeks' | 'flow'>, figure: Figure): StateSeries[] {
  const byState = Map.groupBy(flow, ({ state }) => state.id);
  return [...byState.values()].flatMap((rows) => {
    const values = weeks.map((week) => valueIn(rows, week, figure));
    const [first] = rows;
    return first && values.some((value) => value !== 0) ? [{ state: first.state, values }] : [];
  });
}

const valueIn = (rows: readonly FlowRow[], week: string, figure: Figure): number =>
  rows.find((row) => row.week === week)?.[figure] ?? 0;

export function flowOf(insights: Pick<Insights, 'weeks' | 'flow'>): Flow {
  const { weeks, flow } = insights;
  const active = flow.filter(({ final }) => !final);
  return {
    weeks,
    arrived: totals(seriesOf(insights, 'arrived'), weeks.length),
    finished: seriesOf(insights, 'finished'),
    inProgress: seriesOf({ weeks, flow: active }, 'experiments'),
  };
}

/** A shorter chart would not show weeks as such. */
const leastWeeks = 4;

/** Without the weeks before the first experiment, except the last of them, so that a young study fills its charts. */
export function sinceFirst(insights: Insights): Insights {
  const { weeks, flow, failures } = insights;
  const active = new Set(flow.flatMap((row) => (row.entered + row.left + row.experiments > 0 ? [row.week] : [])));
  const first = weeks.findIndex((week) => active.has(week));
  const from = Math.max(0, Math.min(first - 1, weeks.length - leastWeeks));
  const cut = failures.map((row) => ({ ...row, weeks: row.weeks.slice(from) }));
  return { ...insights, weeks: weeks.slice(from), failures: cut };
}

/** The largest series in their order, and the number and sum of the others. */
export function foldSeries(series: readonly StateSeries[], most: number, weeks: number) {
  const bySize = series.toSorted((one, other) => Math.max(...other.values) - Math.max(...one.values));
  const kept = new Set(series.length > most ? bySize.slice(0, most - 1) : bySize);
  const others = series.filter((one) => !kept.has(one));
  return {
    shown: series.filter((one) => kept.has(one)),
    others:
      others.length === 0 ? undefined : { states: others.map(({ state }) => state), values: totals(others, weeks) },
  };
}
