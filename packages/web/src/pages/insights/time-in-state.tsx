/** How long experiments stay in each state, and where they wait most. */
import { useState } from 'react';
import { Link } from 'react-router';
import type { NamedState } from '../../status/state-looks.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { count } from '../../ui/numbers.ts';
import { durationText } from '../../ui/times.ts';
import { stayText } from '../workflows/time-in-state-rows.ts';
import type { Figures } from './figure-table.tsx';
import { FoldButton } from './fold-button.tsx';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { percentText } from './percent.ts';
import { logScale, type LogScale } from './plot/log-scale.ts';
import { ScaleHead, StayPlot } from './plot/stay-plot.tsx';
import {
  aboutBottleneck,
  bottleneckOf,
  clearestOf,
  comparedText,
  minStays,
  quantilesOf,
  ratioOf,
  stayRows,
  variableTitle,
  type StayRow,
  type VariableRow,
} from './stay-rows.ts';
import { numberColumn as number } from './number-column.tsx';
import { Unit } from '../../ui/unit.tsx';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

interface Props {
  stays: readonly StayRow[];
  variables: readonly VariableRow[];
  /** The first day of the period. */
  from: string;
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

/** Further states are folded. */
const mostShown = 8;

export function TimeInState({ stays, variables, from, filter, links }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const lookOf = useStateLooks();
  const rows = stayRows(stays);
  const shown = isWhole ? rows : rows.slice(0, mostShown);
  const folded = rows.slice(mostShown);
  const bottleneck = bottleneckOf(rows);
  const titleOf = (state: NamedState) => lookOf(state).title;
  const scale = scaleOf(shown);
  return (
    <InsightSection
      title="Time in state"
      summary={
        bottleneck ? (
          <>
            {aboutBottleneck(bottleneck, titleOf(bottleneck.state))} <Clearest variables={variables} links={links} />
          </>
        ) : (
          aboutNone(rows)
        )
      }
      legend="Line 10 to 90%, band 25 to 75%, dot median, log scale"
      csv={{ operation: 'listInsightStays', file: 'insights-time-in-state', columns: csvColumns }}
      filter={filter}
      figures={() => figuresOf(rows, titleOf)}
    >
      {rows.length === 0 ? null : (
        <div className={styles['dense']}>
          <DataTable
            label="Time in state"
            columns={columnsFor({ scale, bottleneck, from, links, colourOf: (state) => lookOf(state).colour })}
            rows={shown}
            rowKey={({ state }) => String(state.id)}
          />
        </div>
      )}
      <FoldButton folded={folded.length} all={rows.length} isWhole={isWhole} onToggle={() => setIsWhole(!isWhole)}>
        {countOfStates(folded)}
      </FoldButton>
    </InsightSection>
  );
}

const aboutNone = (rows: readonly StayRow[]) =>
  rows.length === 0 ? 'No experiment stayed in a state in this period.' : '';

const countOfStates = (folded: readonly StayRow[]) =>
  `${folded.length} more ${folded.length === 1 ? 'state' : 'states'}, ${percentText(folded[0]?.share ?? 0)} or less each`;

const scaleOf = (rows: readonly StayRow[]): LogScale | undefined => {
  const values = rows.flatMap((row) => {
    const quantiles = quantilesOf(row);
    return quantiles ? [quantiles.p10, quantiles.p90] : [];
  });
  return values.length === 0 ? undefined : logScale(values);
};

/** The value that goes with the longest or shortest stays. */
function Clearest({ variables, links }: Pick<Props, 'variables' | 'links'>) {
  const clearest = clearestOf(variables);
  if (!clearest) return null;
  const { variable, value, stays } = clearest;
  return (
    <>
      {variableTitle(variable)}{' '}
      {links ? (
        <Link to={links.withVariable(variable, value)}>
          <bdi>{value}</bdi>
        </Link>
      ) : (
        <bdi>{value}</bdi>
      )}{' '}
      waits {comparedText(ratioOf(clearest))} (n = {count(stays)}).
    </>
  );
}

const lengthText = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? '–' : stayText(seconds);

const quantileText = (row: StayRow, name: 'median' | 'p90') => lengthText(quantilesOf(row)?.[name]);

const plotText = (row: StayRow) =>
  (['p10', 'p25', 'median', 'p75', 'p90'] as const)
    .map((name) => `${names[name]}: ${lengthText(quantilesOf(row)?.[name])}`)
    .join('\n');
const names = { p10: '10%', p25: '25%', median: 'Median', p75: '75%', p90: '90%' };

interface Shown {
  scale: LogScale | undefined;
  bottleneck: StayRow | undefined;
  from: string;
  links: InsightLinks | undefined;
  colourOf: (state: NamedState) => string;
}

const columnsFor = ({ scale, bottleneck, from, links, colourOf }: Shown): Column<StayRow>[] => [
  {
    id: 'state',
    header: 'State',
    names: true,
    width: '256px',
    text: ({ state }) => state.label,
    cell: ({ state }) => (
      <span className={styles['state']}>
        {links ? (
          <Link to={links.inStates([state.label])}>
            <StateChip state={state} />
          </Link>
        ) : (
          <StateChip state={state} />
        )}
        {bottleneck?.state.id === state.id ? <b className={styles['bottleneck']}>Bottleneck</b> : null}
      </span>
    ),
  },
  {
    id: 'count',
    header: 'Count',
    width: '72px',
    ...number((row) => count(row.stays), { linkOf: ({ state }) => links?.leftSince(state.label, from) }),
    wideOnly: true,
  },
  {
    id: 'median',
    header: 'Median',
    width: '104px',
    ...number((row) => quantileText(row, 'median'), { unit: 'median' }),
  },
  { id: 'p90', header: '90%', width: '104px', ...number((row) => quantileText(row, 'p90')), wideOnly: true },
  {
    id: 'plot',
    header: 'Lengths of stays',
    ...(scale ? { head: <ScaleHead scale={scale} /> } : {}),
    text: () => '',
    cell: (row) => <Plot row={row} scale={scale} colour={colourOf(row.state)} />,
  },
  {
    id: 'share',
    header: 'Share of waiting',
    align: 'right',
    width: '176px',
    text: ({ share }) => percentText(share),
    cell: ({ share, state }) => (
      <span className={styles['share']} data-most={bottleneck?.state.id === state.id || undefined}>
        <i aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </i>
        {percentText(share)}
        <Unit of="of waiting" />
      </span>
    ),
  },
];

function Plot({ row, scale, colour }: { row: StayRow; scale: LogScale | undefined; colour: string }) {
  const quantiles = quantilesOf(row);
  return quantiles && scale ? (
    <StayPlot scale={scale} quantiles={quantiles} colour={colour} text={plotText(row)} />
  ) : (
    <span className={styles['few']}>Fewer than {minStays} stays.</span>
  );
}

const csvColumns = [
  'state.label',
  'stays',
  'p10_seconds',
  'p25_seconds',
  'median_seconds',
  'p75_seconds',
  'p90_seconds',
  'total_seconds',
  'present_seconds',
  'share',
  'experiments',
  'oldest_entered_at',
];

const figuresOf = (rows: readonly StayRow[], titleOf: (state: NamedState) => string): Figures => ({
  heads: [
    'State',
    'Count',
    '10%',
    '25%',
    'Median',
    '75%',
    '90%',
    'Total',
    'Present stays',
    'Share of waiting',
    'Present',
  ],
  rows: rows.map((row) => ({
    key: String(row.state.id),
    cells: [
      titleOf(row.state),
      count(row.stays),
      ...(['p10', 'p25', 'median', 'p75', 'p90'] as const).map((name) => lengthText(quantilesOf(row)?.[name])),
      row.stays === 0 ? '–' : durationText(row.total_seconds),
      row.experiments === 0 ? '–' : durationText(row.present_seconds),
      percentText(row.share),
      count(row.experiments),
    ],
  })),
});
