/** The faults by line and column, as a table and as CSV. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useCsv } from '../../table/use-csv.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { count } from '../../ui/numbers.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { textWithCode } from '../../ui/text-with-code.tsx';
import { NarrowHead } from '../../ui/unit.tsx';
import type { Import } from './import-words.ts';
import styles from './imports.module.css';

type Fault = BodyOf<'listImportFaults'>['faults'][number];
type Row = Fault & { id: number };

const pageSize = 100;
const fewFaults = 7;

const columns: readonly Column<Row>[] = [
  {
    id: 'line',
    header: 'Line',
    align: 'right',
    width: '56px',
    text: ({ line }) => String(line),
    cell: ({ line }) => (
      <>
        <NarrowHead text="Line" />
        {count(line)}
      </>
    ),
  },
  {
    id: 'column',
    header: 'Column',
    names: true,
    width: '16%',
    text: ({ column }) => column ?? '',
    cell: ({ column }) => (column === null ? '–' : <code dir="auto">{column}</code>),
  },
  {
    id: 'value',
    header: 'Value',
    width: '20%',
    text: ({ value }) => value,
    cell: ({ value, column }) => <Value text={value} isLine={column === null} />,
  },
  {
    id: 'detail',
    header: 'Problem',
    text: ({ detail }) => detail,
    cell: ({ detail }) => (
      <span className={styles['detail']} dir="auto">
        {textWithCode(detail)}
      </span>
    ),
  },
];

const Value = ({ text, isLine }: { text: string; isLine: boolean }) => {
  if (text !== '')
    return (
      <code className={styles['value']} dir="auto">
        {text}
      </code>
    );
  return isLine ? <>–</> : <span className={styles['none']}>empty</span>;
};

const useFaults = (id: number, column: string | undefined) =>
  useLinkedPages({
    query: (after: number | undefined) =>
      operationQuery(
        'listImportFaults',
        {
          params: { id },
          query: {
            limit: pageSize,
            ...(column === undefined ? {} : { column }),
            ...(after === undefined ? {} : { after }),
          },
        },
        noEvents,
      ),
    rowsOf: ({ faults }: BodyOf<'listImportFaults'>) => faults.map((fault): Row => ({ ...fault, id: fault.number })),
    nextOf: ({ faults }) => (faults.length < pageSize ? undefined : faults.at(-1)?.number),
    filter: `${id} ${column}`,
  });

/** The number of faults in the shown columns. */
const totalOf = ({ columns: all, faults }: Import, column: string | undefined): number =>
  column === undefined ? faults : (all.find(({ header }) => header === column)?.faults ?? 0);

/** The faults of the check before stay visible while another one runs. */
export function Faults({ of }: { of: Import }) {
  const { textOf, clear } = useFilters();
  const column = textOf('column');
  const faults = useFaults(of.id, column);
  const total = totalOf(of, column);
  const isChecking = of.status === 'checking';
  const csv = useCsv({
    file: `import-${of.id}-faults`,
    operation: 'listImportFaults',
    params: { id: of.id },
    query: column === undefined ? {} : { column },
    columns: ['line', 'column', 'value', 'detail'],
  });
  if (isChecking ? faults.rows.length === 0 : of.faults === 0) return null;
  return (
    <Section
      title="Faults"
      number={isChecking ? undefined : count(total)}
      aside={
        <Button variant="subtle" className={styles['aside'] ?? ''} loading={csv.isPending} onClick={csv.download}>
          Download faults as CSV
        </Button>
      }
    >
      {column === undefined ? null : <OneColumn header={column} />}
      <QueryResult query={faults.first} what="faults" onClearFilters={clear}>
        {() => <Table key={column} faults={faults} total={total} isStale={isChecking} />}
      </QueryResult>
    </Section>
  );
}

const OneColumn = ({ header }: { header: string }) => (
  <p className={styles['quiet']}>
    In the column <code dir="auto">{header}</code>.{' '}
    <Link className={styles['link']} to="?" replace preventScrollReset>
      Show all columns
    </Link>
  </p>
);

interface TableProps {
  faults: ReturnType<typeof useFaults>;
  total: number;
  isStale: boolean;
}

/** The first faults. The preview is below, so more of them only load when the user asks for them. */
function Table({ faults, total, isStale }: TableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { rows, hasMore, isLoadingMore, loadMore, problem } = faults;
  const isShort = !isOpen && rows.length > fewFaults;
  const shown = isShort ? rows.slice(0, fewFaults) : rows;
  return (
    <div className={styles['dense']} aria-busy={isStale}>
      <DataTable label="Faults" columns={columns} rows={shown} rowKey={({ id }) => String(id)} />
      {problem ? <ProblemNote error={problem.error} onRetry={problem.retry} /> : null}
      {isShort || hasMore ? (
        <Button
          variant="subtle"
          className={styles['more'] ?? ''}
          loading={isLoadingMore}
          onClick={() => (isShort ? setIsOpen(true) : loadMore())}
        >
          {isShort && !hasMore ? `Show all ${count(total)}` : 'Show more'}
        </Button>
      ) : null}
    </div>
  );
}
