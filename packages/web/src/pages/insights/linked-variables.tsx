/** Values of variables whose stays in the bottleneck are longer or shorter than others. */
import { Link } from 'react-router';
import { useStateLooks } from '../../status/use-state-look.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { stayText } from '../workflows/time-in-state-rows.ts';
import type { InsightLinks } from './insight-links.ts';
import { InsightSection } from './insight-section.tsx';
import { numberColumn } from './number-column.tsx';
import { differing, ratioOf, ratioText, type VariableRow } from './stay-rows.ts';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

interface Props {
  variables: readonly VariableRow[];
  filter: InsightFilter;
  links: InsightLinks | undefined;
}

export function LinkedVariables({ variables, filter, links }: Props) {
  const lookOf = useStateLooks();
  const [first] = variables;
  if (!first) return null;
  const rows = differing(variables);
  const state = lookOf(first.state).title;
  const title = `Variables linked to time in ${state}`;
  return (
    <InsightSection
      title={title}
      summary={<Summary state={state} hasRows={rows.length > 0} />}
      csv={{ operation: 'listInsightVariables', file: 'insights-variables', columns: csvColumns }}
      filter={filter}
    >
      {rows.length === 0 ? null : (
        <div className={styles['dense']}>
          <DataTable
            label={title}
            columns={columnsFor(links)}
            rows={rows}
            rowKey={({ variable, value }) => JSON.stringify([variable, value])}
          />
        </div>
      )}
    </InsightSection>
  );
}

const Summary = ({ state, hasRows }: { state: string; hasRows: boolean }) =>
  hasRows ? (
    <>
      Values with longer or shorter stays in <bdi>{state}</bdi> than others. This does not show a cause.
    </>
  ) : (
    <>
      No value of a variable has longer or shorter stays in <bdi>{state}</bdi> than others.
    </>
  );

const timesText = (row: VariableRow) => ratioText(ratioOf(row));

const columnsFor = (links: InsightLinks | undefined): Column<VariableRow>[] => [
  {
    id: 'value',
    header: 'Value',
    names: true,
    text: ({ variable, value }) => `${variable} ${value}`,
    cell: ({ variable, value }) => (
      <span className={styles['value']}>
        <span>
          <Name text={variable} />
        </span>{' '}
        {links ? (
          <Link to={links.withVariable(variable, value)}>
            <Name text={value} />
          </Link>
        ) : (
          <Name text={value} />
        )}
      </span>
    ),
  },
  { id: 'ratio', header: 'Compared with usual', width: '30%', text: timesText, cell: timesText },
  {
    id: 'median',
    header: 'Median',
    width: '96px',
    ...numberColumn((row) => stayText(row.median_seconds), { unit: 'median' }),
  },
  { id: 'count', header: 'Count', width: '56px', ...numberColumn(({ stays }) => count(stays)), wideOnly: true },
];

const csvColumns = ['state.label', 'variable', 'value', 'stays', 'median_seconds', 'all_stays', 'all_median_seconds'];
