/** How long decisions take. Users with the right to read the audit log see the decisions of each user. */
import { StateChip } from '../../status/state-chip.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { stayText } from '../workflows/time-in-state-rows.ts';
import type { Insights } from './flow-series.ts';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { numberColumn } from './number-column.tsx';
import { minStays } from './stay-rows.ts';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

type DecisionRow = Insights['decisions'][number];

interface Props {
  decisions: readonly DecisionRow[];
  /** The first day of the period. */
  from: string;
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

export function DecisionTimes({ decisions, from, filter, links }: Props) {
  const total = decisions.filter(({ user }) => user === null).reduce((all, row) => all + row.decisions, 0);
  if (total === 0) return null;
  return (
    <InsightSection
      title="Time to decide"
      summary={`${countOf(total, 'decision')}, from the end of the callbacks to the decision.`}
      csv={{ operation: 'listInsightDecisions', file: 'insights-decisions', columns: csvColumns }}
      filter={filter}
    >
      <div className={styles['dense']}>
        <DataTable
          label="Time to decide"
          columns={columnsFor(from, links)}
          rows={decisions}
          rowKey={({ state, user }) => `${state.id}/${user?.id ?? ''}`}
        />
      </div>
    </InsightSection>
  );
}

const few = `Fewer than ${minStays}`;
const lengthText = ({ decisions }: DecisionRow, seconds: number | null) => {
  if (decisions < minStays) return few;
  return seconds === null ? '–' : stayText(seconds);
};

/** A query does not tell who decided, because only some users can read that. */
const columnsFor = (from: string, links: InsightLinks | undefined): readonly Column<DecisionRow>[] => [
  {
    id: 'state',
    header: 'State',
    names: true,
    text: ({ state, user }) => user?.name ?? state.label,
    cell: ({ state, user }) =>
      user === null ? (
        <StateChip state={state} />
      ) : (
        <span className={styles['ofState']}>
          <Name text={user.name} />
        </span>
      ),
  },
  {
    id: 'count',
    header: 'Count',
    width: '72px',
    ...numberColumn((row) => count(row.decisions), {
      linkOf: ({ state, user }) => (user === null ? links?.decidedSince(state.label, from) : undefined),
    }),
    wideOnly: true,
  },
  {
    id: 'median',
    header: 'Median',
    width: '116px',
    ...numberColumn((row) => lengthText(row, row.median_seconds), { unit: 'median' }),
  },
  {
    id: 'p90',
    header: '90%',
    width: '108px',
    ...numberColumn((row) => lengthText(row, row.p90_seconds)),
    wideOnly: true,
  },
];

const csvColumns = ['state.label', 'user.name', 'decisions', 'median_seconds', 'p90_seconds'];
