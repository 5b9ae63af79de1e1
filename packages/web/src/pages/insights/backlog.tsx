/** The experiments that are in progress by state, and how long the oldest has waited. */
import type { NamedState } from '../../status/state-looks.ts';
import { StateChip } from '../../status/state-chip.tsx';
import { useStateLooks } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { count } from '../../ui/numbers.ts';
import { durationText, secondsBetween } from '../../ui/times.ts';
import { backlogRows, oldestOf, type BacklogRow } from './backlog-rows.ts';
import type { Flow } from './flow-series.ts';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { numberColumn } from './number-column.tsx';
import { WeekBars } from './plot/week-bars.tsx';
import type { StayRow } from './stay-rows.ts';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

interface Props {
  stays: readonly StayRow[];
  flow: Flow;
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

export function Backlog({ stays, flow, filter, links }: Props) {
  const rows = backlogRows(stays, flow);
  const lookOf = useStateLooks();
  return (
    <InsightSection
      title="Backlog"
      summary={aboutBacklog(rows, (state) => lookOf(state).title)}
      csv={{ operation: 'listInsightStays', file: 'insights-backlog', columns: csvColumns }}
      filter={filter}
    >
      {rows.length === 0 ? null : (
        <div className={styles['dense']}>
          <DataTable
            label="Backlog"
            columns={columnsFor({ weeks: flow.weeks, links, colourOf: (state) => lookOf(state).colour })}
            rows={rows}
            rowKey={({ state }) => String(state.id)}
          />
        </div>
      )}
    </InsightSection>
  );
}

const ageText = (since: string) => durationText(Math.max(0, secondsBetween(since, new Date())));

function aboutBacklog(rows: readonly BacklogRow[], titleOf: (state: NamedState) => string): string {
  const oldest = oldestOf(rows);
  if (!oldest) return 'Nothing is in progress.';
  return `The oldest experiment has been in ${titleOf(oldest.state)} for ${ageText(oldest.since)}.`;
}

interface Shown {
  weeks: readonly string[];
  links: InsightLinks | undefined;
  colourOf: (state: NamedState) => string;
}

const columnsFor = ({ weeks, links, colourOf }: Shown): Column<BacklogRow>[] => [
  {
    id: 'state',
    header: 'State',
    names: true,
    text: ({ state }) => state.label,
    cell: ({ state }) => <StateChip state={state} />,
  },
  {
    id: 'weeks',
    header: 'By week',
    width: '120px',
    wideOnly: true,
    text: () => '',
    cell: ({ state, values }) => (
      <WeekBars
        label={`Experiments by week: ${state.label}`}
        weeks={weeks}
        values={values}
        noun="experiments"
        colour={colourOf(state)}
      />
    ),
  },
  {
    id: 'present',
    header: 'Now',
    width: '72px',
    ...numberColumn(({ experiments }) => count(experiments), {
      unit: 'now',
      linkOf: ({ state }) => links?.inStates([state.label]),
    }),
  },
  {
    id: 'oldest',
    header: 'Oldest',
    width: '96px',
    ...numberColumn(({ since }) => ageText(since), {
      unit: 'oldest',
      linkOf: ({ state }) => links?.oldestIn(state.label),
    }),
  },
];

const csvColumns = ['state.label', 'experiments', 'oldest_entered_at', 'present_seconds'];
