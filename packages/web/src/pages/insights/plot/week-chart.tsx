/** A chart of weeks: stacked bars or areas, with labels next to the last week. */
import { useElementSize } from '@mantine/hooks';
import { count } from '../../../ui/numbers.ts';
import { weekEndText, weekText } from '../week-text.ts';
import { chartGeometry, margin, placeLabels, type ChartKind, type Geometry } from './chart-geometry.ts';
import { LabelsBelow, LabelsBeside } from './chart-labels.tsx';
import type { PlotLabel, PlotSeries } from './plot-series.ts';
import { WeekDrawing } from './week-drawing.tsx';
import { WeekSlider } from './week-slider.tsx';
import styles from './plot.module.css';

export interface WeekChartProps {
  kind: ChartKind;
  /** What it shows. */
  label: string;
  weeks: readonly string[];
  /** From the lowest. */
  series: readonly PlotSeries[];
  /** A line over the bars. */
  line?: PlotSeries;
  /** From the lowest. */
  labels: readonly PlotLabel[];
}

const sumAt = (series: readonly PlotSeries[], index: number) =>
  series.reduce((total, { values }) => total + (values[index] ?? 0), 0);

const largestOf = ({ weeks, series, line }: WeekChartProps) =>
  Math.max(...weeks.map((_, index) => sumAt(series, index)), ...(line?.values ?? []));

export function WeekChart(props: WeekChartProps) {
  const { kind, label, weeks, series, line, labels } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const geometry = chartGeometry({
    kind,
    width,
    weeks: weeks.length,
    largest: largestOf(props),
    labels: labels.length,
  });
  const ys = placeLabels(
    labels.toReversed().map(({ at }) => geometry.yOf(at)),
    geometry,
  );
  // In the order of the labels, the highest first.
  const rows = [...(line ? [line] : []), ...series.toReversed()];
  const nameOf = (index: number) => (kind === 'bars' ? weekText(weeks, index) : weekEndText(weeks, index));
  const text = (index: number) =>
    `${nameOf(index)}: ${rows.map(({ title, values }) => `${title} ${count(values[index] ?? 0)}`).join(', ')}`;
  return (
    <div ref={ref} className={styles['chart']} style={{ minHeight: geometry.height }}>
      {width === 0 ? null : (
        <>
          <WeekSlider
            label={label}
            weeks={weeks.length}
            valueText={text}
            card={(index) => <Card title={nameOf(index)} rows={rows} index={index} />}
            xOf={geometry.xOf}
            width={geometry.width}
          >
            {(active) => (
              <div aria-hidden="true">
                <WeekDrawing kind={kind} weeks={weeks} series={series} line={line?.values} geometry={geometry} />
                {kind === 'bars' ? <Veil geometry={geometry} last={weeks.length - 1} /> : null}
                {active === undefined ? null : <Marker kind={kind} geometry={geometry} index={active} />}
              </div>
            )}
          </WeekSlider>
          {geometry.isNarrow ? (
            <LabelsBelow labels={labels.toReversed()} />
          ) : (
            <LabelsBeside labels={labels.toReversed()} ys={ys} geometry={geometry} last={weeks.length - 1} />
          )}
        </>
      )}
    </div>
  );
}

/** Values of 0 are left out, because a workflow can have many states. */
const Card = ({ title, rows, index }: { title: string; rows: readonly PlotSeries[]; index: number }) => (
  <>
    <b>{title}</b>
    <ul className={styles['values']}>
      {rows
        .filter(({ values }) => (values[index] ?? 0) > 0)
        .map(({ key, title: name, colour, values }) => (
          <li key={key}>
            <span>
              <i className={styles['mark']} style={{ background: colour }} />
              <bdi>{name}</bdi>
            </span>
            <span>{count(values[index] ?? 0)}</span>
          </li>
        ))}
    </ul>
  </>
);

interface At {
  geometry: Geometry;
}

/** The last week is not over, so its bar is paler. */
const Veil = ({ geometry: { band, xOf, bottom }, last }: At & { last: number }) => (
  <div
    className={styles['veil']}
    style={{ left: xOf(last) - band / 2, width: band, top: margin.top, height: bottom - margin.top - 1 }}
  />
);

function Marker({ kind, geometry: { band, xOf, bottom }, index }: At & { kind: ChartKind; index: number }) {
  const width = kind === 'bars' ? band : 3;
  return (
    <div
      className={styles['marker']}
      style={{ left: xOf(index) - width / 2, width, top: margin.top, height: bottom - margin.top }}
    />
  );
}
