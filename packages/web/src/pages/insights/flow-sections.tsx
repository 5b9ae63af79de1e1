/** Finished per week, and experiments by state. */
import type { StateLook, NamedState } from '../../status/state-looks.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { aboutFinished, aboutInProgress } from './about-flow.ts';
import { foldSeries, totals, type Flow, type StateSeries } from './flow-series.ts';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { stackedLabels, type PlotLabel, type PlotSeries } from './plot/plot-series.ts';
import { LazyWeekChart } from './plot/lazy-week-chart.tsx';
import type { InsightFilter } from './use-insights.ts';
import { weekFigures } from './week-figures.tsx';
import { weekEndText, weekText } from './week-text.ts';

interface Props {
  flow: Flow;
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

/** Further states are one series. */
const mostFinal = 6;
const mostInProgress = 14;
const othersKey = 'others';

type LookOf = (state: NamedState) => StateLook;

interface Folded {
  series: PlotSeries[];
  /** The labels of the states of a series. */
  labelsOf: (key: string) => string[];
}

const keyOf = ({ state }: StateSeries) => `state${state.id}`;

function fold(all: readonly StateSeries[], most: number, weeks: number, lookOf: LookOf): Folded {
  const { shown, others } = foldSeries(all, most, weeks);
  const series = shown.map((one) => {
    const { title, colour } = lookOf(one.state);
    return { key: keyOf(one), title, colour, values: one.values };
  });
  const rest = others && {
    key: othersKey,
    title: `${others.states.length} other states`,
    colour: 'var(--edge)',
    values: others.values,
  };
  const labels = new Map(shown.map((one) => [keyOf(one), [one.state.label]]));
  if (others)
    labels.set(
      othersKey,
      others.states.map(({ label }) => label),
    );
  return { series: rest ? [...series, rest] : series, labelsOf: (key) => labels.get(key) ?? [] };
}

const last = (values: readonly number[]) => values.at(-1) ?? 0;

export function FinishedSection({ flow, filter, links }: Props) {
  const { weeks } = flow;
  const { series, labelsOf } = fold(flow.finished, mostFinal, weeks.length, useStateLooks());
  const arrived: PlotSeries = { key: 'arrived', title: 'Arrived', colour: 'var(--ink)', values: flow.arrived };
  const finished: PlotSeries = {
    key: 'finished',
    title: 'Finished',
    colour: 'transparent',
    values: totals(flow.finished, weeks.length),
  };
  const linkOf = (key: string, index: number) => {
    const week = weeks[index] ?? '';
    if (key === arrived.key) return links?.arrivedIn(week);
    if (key === finished.key) return links?.finishedIn(week);
    // Several states together cannot be queried.
    const [label, ...others] = labelsOf(key);
    return label === undefined || others.length > 0 ? undefined : links?.finishedAs(label, week);
  };
  const total = (one: PlotSeries): PlotLabel => {
    const [value, to] = [last(one.values), linkOf(one.key, weeks.length - 1)];
    return { key: one.key, title: one.title, value, at: value, colour: one.colour, isTotal: true, to };
  };
  const labels = [...stackedLabels(series, (key) => linkOf(key, weeks.length - 1)), total(finished), total(arrived)];
  return (
    <InsightSection
      title="Finished per week"
      summary={aboutFinished(flow)}
      csv={{ operation: 'listInsightFlow', file: 'insights-flow', columns: flowColumns }}
      filter={filter}
      figures={() =>
        weekFigures({ head: 'Week', weeks, nameOf: weekText, columns: [arrived, finished, ...series], linkOf })
      }
    >
      <LazyWeekChart
        kind="bars"
        label="Finished per week"
        weeks={weeks}
        series={series}
        line={arrived}
        labels={labels.toSorted((one, other) => one.at - other.at)}
      />
    </InsightSection>
  );
}

const flowColumns = ['week', 'state.label', 'arrived', 'entered', 'left', 'experiments'];

/** The first state of the workflow is the highest. */
export function InProgressSection({ flow, filter, links }: Props) {
  const { weeks } = flow;
  const lookOf = useStateLooks();
  const { series, labelsOf } = fold(flow.inProgress, mostInProgress, weeks.length, lookOf);
  const upwards = series.toReversed();
  // The experiments that were in a state at the end of an earlier week cannot be queried.
  const linkOf = (key: string, index: number) => {
    const labels = labelsOf(key);
    return index < weeks.length - 1 || labels.length === 0 ? undefined : links?.inStates(labels);
  };
  return (
    <InsightSection
      title="Experiments by state"
      summary={aboutInProgress(flow, (state) => lookOf(state).title)}
      csv={{ operation: 'listInsightFlow', file: 'insights-states', columns: flowColumns }}
      filter={filter}
      figures={() => weekFigures({ head: 'Time', weeks, nameOf: weekEndText, columns: series, linkOf })}
    >
      <LazyWeekChart
        kind="areas"
        label="Experiments by state"
        weeks={weeks}
        series={upwards}
        labels={stackedLabels(upwards, (key) => linkOf(key, weeks.length - 1))}
      />
    </InsightSection>
  );
}
