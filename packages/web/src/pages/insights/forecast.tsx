/** When the cohorts will be finished. */
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { NameLink } from '../../ui/name.tsx';
import { useNow } from '../../ui/now.ts';
import { count } from '../../ui/numbers.ts';
import {
  aboutForecasts,
  dateScale,
  isRequirement,
  rangeText,
  type DateScale,
  type ForecastRow,
} from './about-forecast.ts';
import type { Figures } from './figure-table.tsx';
import { cohortLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { DateHead, ForecastPlot } from './plot/forecast-plot.tsx';
import type { InsightFilter } from './use-insights.ts';
import { wholeDayText } from './week-text.ts';
import styles from './insights.module.css';

interface Props {
  forecasts: readonly ForecastRow[];
  filter: InsightFilter;
  workflow: string;
  /** The labels of the final states. */
  finals: readonly string[];
}

export function Forecast({ forecasts, filter, workflow, finals }: Props) {
  const today = useNow().toISOString().slice(0, 10);
  const scale = dateScale(forecasts, today);
  const finishedIn = (cohort: string) =>
    finals.length === 0 ? undefined : cohortLinks(workflow, cohort).inStates(finals);
  return (
    <InsightSection
      title="Forecast"
      summary={aboutForecasts(forecasts)}
      csv={{ operation: 'listInsightForecasts', file: 'insights-forecast', columns: csvColumns }}
      filter={filter}
      figures={() => figuresOf(forecasts)}
    >
      <div className={styles['dense']}>
        <DataTable
          label="Forecast"
          columns={columnsFor(scale, finishedIn)}
          rows={forecasts}
          rowKey={({ cohort }) => String(cohort.id)}
          rowHeight={53}
        />
      </div>
      <p className={styles['note']}>
        {scale
          ? 'Whole cohorts, without the filter. Light band 80%, dark band 50%, line median.'
          : 'Whole cohorts, without the filter.'}
      </p>
    </InsightSection>
  );
}

const columnsFor = (
  scale: DateScale | undefined,
  finishedIn: (cohort: string) => string | undefined,
): Column<ForecastRow>[] => [
  {
    id: 'cohort',
    header: 'Cohort',
    names: true,
    text: ({ cohort }) => cohort.label,
    cell: (row) => (
      <>
        <NameLink text={row.cohort.label} to={paths.cohort(row.cohort.id)} />
        <Range row={row} />
      </>
    ),
  },
  {
    id: 'finished',
    header: 'Finished',
    align: 'right',
    width: '124px',
    text: finishedText,
    cell: (row) => <Finished row={row} to={finishedIn(row.cohort.label)} />,
  },
  ...(scale
    ? [
        {
          id: 'range',
          header: 'Range',
          head: <DateHead scale={scale} />,
          width: '33%',
          text: () => '',
          cell: ({ forecast }: ForecastRow) =>
            forecast ? <ForecastPlot scale={scale} range={forecast} text={rangesText(forecast)} /> : null,
        },
      ]
    : []),
];

/** What all cohorts need is in the summary. */
const Range = ({ row }: { row: ForecastRow }) =>
  isRequirement(row) ? null : <span className={styles['sub']}>{rangeText(row)}</span>;

const finishedText = ({ finished, experiments }: ForecastRow) => `${count(finished)} of ${count(experiments)}`;

const Finished = ({ row, to }: { row: ForecastRow; to: string | undefined }) => (
  <span className={styles['progress']}>
    {to === undefined ? finishedText(row) : <Link to={to}>{finishedText(row)}</Link>}
    <i aria-hidden="true">
      <i style={{ width: `${(100 * row.finished) / Math.max(1, row.experiments)}%` }} />
    </i>
  </span>
);

type Dates = NonNullable<ForecastRow['forecast']>;

const rangesText = ({ p10, p25, median, p75, p90 }: Dates): string =>
  [
    `Median: ${wholeDayText(median)}`,
    `50%: ${wholeDayText(p25)} to ${wholeDayText(p75)}`,
    `80%: ${wholeDayText(p10)} to ${wholeDayText(p90)}`,
  ].join('\n');

const csvColumns = [
  'cohort.label',
  'experiments',
  'finished',
  ...['p10', 'p25', 'median', 'p75', 'p90'].map((name) => `forecast.${name}`),
  'no_forecast',
  'tests',
  'tests_in_range',
];

const dateText = (date: string | undefined) => (date === undefined ? '–' : wholeDayText(date));

const figuresOf = (rows: readonly ForecastRow[]): Figures => ({
  heads: ['Cohort', 'Experiments', 'Finished', '10%', '25%', 'Median', '75%', '90%', 'Tests', 'Right'],
  rows: rows.map(({ cohort, experiments, finished, forecast, tests, tests_in_range: right }) => ({
    key: String(cohort.id),
    cells: [
      cohort.label,
      count(experiments),
      count(finished),
      ...(['p10', 'p25', 'median', 'p75', 'p90'] as const).map((name) => dateText(forecast?.[name])),
      count(tests),
      count(right),
    ],
  })),
});
