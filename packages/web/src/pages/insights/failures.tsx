/** Failed runs by callback and cause. */
import { useState } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import type { Figures } from './figure-table.tsx';
import { Figure } from './figure.tsx';
import type { Insights } from './flow-series.ts';
import { FoldButton } from './fold-button.tsx';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { numberColumn } from './number-column.tsx';
import { WeekBars } from './plot/week-bars.tsx';
import { Unit } from '../../ui/unit.tsx';
import type { InsightFilter } from './use-insights.ts';
import { weekText } from './week-text.ts';
import styles from './insights.module.css';

type FailureRow = Insights['failures'][number];

interface Props {
  failures: readonly FailureRow[];
  weeks: readonly string[];
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

/** Further causes are folded. */
const mostShown = 5;
/** The server counts open incidents up to this number, and lists so many causes. */
const maxOpen = 1000;
const maxCauses = 100;

const sumOf = (rows: readonly FailureRow[], key: 'failures' | 'open') =>
  rows.reduce((total, row) => total + row[key], 0);

export function Failures(props: Props) {
  const { failures, weeks, filter } = props;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? failures : failures.slice(0, mostShown);
  const folded = failures.slice(mostShown);
  return (
    <InsightSection
      title="Failures by cause"
      summary={aboutFailures(failures, filter.weeks ?? weeks.length)}
      csv={{ operation: 'listInsightFailures', file: 'insights-failures', columns: csvColumns }}
      filter={filter}
      figures={() => figuresOf(props)}
    >
      {failures.length === 0 ? null : (
        <div className={styles['dense']}>
          <DataTable
            label="Failures by cause"
            columns={columnsFor(props)}
            rows={shown}
            rowKey={({ callback, cause_group: group }) => `${callback.id}/${group}`}
          />
        </div>
      )}
      <FoldButton folded={folded.length} all={failures.length} isWhole={isWhole} onToggle={() => setIsWhole(!isWhole)}>
        {aboutFolded(folded)}
      </FoldButton>
    </InsightSection>
  );
}

function aboutFailures(rows: readonly FailureRow[], weeks: number): string {
  if (rows.length === 0) return `No failures in ${countOf(weeks, 'week')}.`;
  const open = sumOf(rows, 'open');
  const least = rows.length === maxCauses ? 'At least ' : '';
  return `${least}${countOf(sumOf(rows, 'failures'), 'failure')} in ${countOf(weeks, 'week')}, ${count(open)} ${open === 1 ? 'is' : 'are'} still open.`;
}

/** Runs that succeeded after a retry have a cause, too. */
function aboutFolded(rows: readonly FailureRow[]): string {
  const causes = countOf(rows.length, 'more cause');
  const failures = sumOf(rows, 'failures');
  return failures === 0 ? `${causes} with retries only` : `${causes} with ${countOf(failures, 'failure')}`;
}

const openText = ({ open }: FailureRow) => (open >= maxOpen ? `${count(maxOpen)}+` : count(open));

/** The start page lists the open incidents of a cause. */
const openPath = (group: string, { cohort_id: cohort }: InsightFilter) =>
  `${paths.attention}?${new URLSearchParams({ cause_group: group, ...(cohort === undefined ? {} : { cohort: String(cohort) }) })}`;

/** Runs without a cause have this key, too. */
const causeOf = ({ callback, cause_group: group }: FailureRow) => group ?? `${callback.id}-none`;

const columnsFor = ({ weeks, filter, links }: Props): Column<FailureRow>[] => [
  {
    id: 'cause',
    header: 'Callback and cause',
    names: true,
    text: ({ callback }) => callback.label,
    cell: ({ callback, cause }) => (
      <span className={styles['cause']}>
        <b>
          <Name text={callback.label} />
        </b>
        {cause === null ? null : <span dir="auto">{cause}</span>}
      </span>
    ),
  },
  {
    id: 'weeks',
    header: 'By week',
    width: '120px',
    text: () => '',
    cell: (row) => (
      <WeekBars
        label={`Failures by week: ${row.callback.label}, ${row.cause ?? 'no cause'}`}
        weeks={weeks}
        values={row.weeks}
        noun="failures"
        colour="var(--fail-bar)"
      />
    ),
  },
  {
    id: 'failures',
    header: 'Failures',
    width: '76px',
    ...numberColumn((row) => count(row.failures), {
      unit: 'failures',
      linkOf: (row) => links?.failedSince(causeOf(row), weeks[0] ?? ''),
    }),
  },
  {
    id: 'open',
    header: 'Open',
    align: 'right',
    width: '56px',
    text: openText,
    cell: (row) => (
      <>
        <Open row={row} filter={filter} />
        <Unit of="open" />
      </>
    ),
  },
];

const Open = ({ row, filter }: { row: FailureRow; filter: InsightFilter }) =>
  row.cause_group === null || row.open === 0 ? (
    openText(row)
  ) : (
    <Link className={styles['figure']} to={openPath(row.cause_group, filter)}>
      {openText(row)}
    </Link>
  );

const csvColumns = ['callback.label', 'state.label', 'cause', 'cause_group', 'failures', 'retries', 'open', 'weeks'];

const figuresOf = ({ failures: rows, weeks, filter, links }: Props): Figures => ({
  heads: ['Callback', 'Cause', 'Failures', 'Retries', 'Open', ...weeks.map((_, index) => weekText(weeks, index))],
  texts: 2,
  rows: rows.map((row) => ({
    key: `${row.callback.id}/${row.cause_group}`,
    cells: [
      row.callback.label,
      row.cause ?? '–',
      <Figure key="failures" text={count(row.failures)} to={links?.failedSince(causeOf(row), weeks[0] ?? '')} />,
      <Figure key="retries" text={count(row.retries)} to={links?.retriedSince(causeOf(row), weeks[0] ?? '')} />,
      <Open key="open" row={row} filter={filter} />,
      ...row.weeks.map((failures, index) => (
        <Figure key={weeks[index]} text={count(failures)} to={links?.failedIn(causeOf(row), weeks[index] ?? '')} />
      )),
    ],
  })),
});
