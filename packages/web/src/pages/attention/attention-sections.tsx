/** The overview: a section for each kind, with the first rows of each state or cause. Its tab lists all of them. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../table/data-table.tsx';
import { cappedCount } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { useAttentionFilters, useLinkTo } from './attention-filters.tsx';
import { attentionColumns } from './attention-columns.tsx';
import { tabs, type AttentionCounts, type AttentionKind, type RestingState } from './attention-kinds.ts';
import { inSection, keyOf, withExits, type AttentionRow } from './attention-rows.ts';
import { DecisionState } from './resting-states.tsx';
import { useFirstRows, type AttentionFilter } from './use-attention.ts';
import styles from './attention.module.css';

interface Props {
  rows: readonly AttentionRow[];
  counts: AttentionCounts;
  states: readonly RestingState[];
}

/** Automatic retries need no attention, so they have no section. */
export const AttentionSections = ({ rows, counts, states }: Props) => (
  <>
    <ColumnNames />
    {tabs
      .filter(({ kind }) => kind !== 'retrying' && counts[kind] > 0)
      .map(({ kind, name }) => (
        <KindSection key={kind} kind={kind} name={name} count={counts[kind]}>
          {kind === 'decide' ? (
            <DecisionRows rows={rows} states={states} />
          ) : (
            <FirstRows
              label={name}
              filter={{ kind }}
              rows={rows.filter(({ kind: of }) => of === kind)}
              states={states}
            />
          )}
        </KindSection>
      ))}
  </>
);

/** The names of the columns are visible once. Each table has them for screen readers (attention.module.css). */
const ColumnNames = () => (
  <div className={styles['columnNames']} aria-hidden="true">
    {attentionColumns.map(({ id, header, width, align, control }) => (
      <span key={id} style={width === undefined ? { flex: 1 } : { width }} data-align={align}>
        {control ? null : header}
      </span>
    ))}
  </div>
);

function KindSection({ kind, name, count, children }: SectionProps) {
  const linkTo = useLinkTo();
  const shown = count === 1 ? 'Show 1 item' : `Show all ${cappedCount(count)}`;
  return (
    <section aria-labelledby={`kind-${kind}`} className={styles['section']} data-kind={kind}>
      <div className={styles['sectionHead']}>
        <h2 id={`kind-${kind}`}>
          {name} <span className={styles['count']}>{cappedCount(count)}</span>
        </h2>
        <Link to={linkTo({ kind })} aria-label={`${shown}: ${name}`}>
          {shown}
        </Link>
      </div>
      {children}
    </section>
  );
}

interface SectionProps {
  kind: AttentionKind;
  name: string;
  count: number;
  children: ReactNode;
}

const DecisionRows = ({ rows, states }: Pick<Props, 'rows' | 'states'>) =>
  states
    .filter(({ kind }) => kind === 'decide')
    .map((resting) => (
      <div key={resting.state.id}>
        <DecisionState resting={resting} />
        <FirstRows
          label={`To decide in ${resting.title}`}
          filter={{ kind: 'decide', stateId: resting.state.id }}
          rows={rows.filter(({ kind, state }) => kind === 'decide' && state.id === resting.state.id)}
          states={states}
        />
      </div>
    ));

interface FirstRowsProps {
  label: string;
  filter: AttentionFilter;
  /** Those that are loaded. */
  rows: AttentionRow[];
  states: readonly RestingState[];
}

/** If many others come first in the list, no rows of the section are loaded yet. */
const FirstRows = ({ label, rows, ...props }: FirstRowsProps) =>
  rows.length === 0 ? (
    <RequestedRows label={label} {...props} />
  ) : (
    <Rows label={label} rows={rows.slice(0, inSection)} />
  );

function RequestedRows({ label, filter, states }: Omit<FirstRowsProps, 'rows'>) {
  const first = useFirstRows({ ...useAttentionFilters(), ...filter });
  return (
    <QueryResult query={first} what={label}>
      {({ items }) => (items.length === 0 ? null : <Rows label={label} rows={withExits(items, states)} />)}
    </QueryResult>
  );
}

const Rows = ({ label, rows }: { label: string; rows: AttentionRow[] }) => (
  <DataTable label={label} columns={attentionColumns} rows={rows} rowKey={keyOf} rowHeight={61} />
);
