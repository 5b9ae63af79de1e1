/** A list in all its states: loading, failed, empty, or a table with a footer. */
import type { ReactNode } from 'react';
import { QueryResult } from '../ui/query-result.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { useLocalSort } from './use-local-sort.ts';
import { MoreRows } from './more-rows.tsx';
import type { Pages } from './use-pages.ts';

interface Props<Row> {
  of: Pages<Row>;
  /** The plural in lower case: `external systems`. */
  what: string;
  label: string;
  columns: readonly Column<Row>[];
  /** The empty state. */
  empty: ReactNode;
  rowHeight?: number;
}

export const PagedTable = <Row extends { id: number }>({ of: pages, what, empty, ...table }: Props<Row>) => (
  <QueryResult query={pages.first} what={what}>
    {() =>
      pages.rows.length === 0 ? (
        empty
      ) : (
        <>
          <SortedTable {...table} rows={pages.rows} isComplete={!pages.hasMore} />
          <MoreRows of={pages} noun={what.replace(/s$/, '')} />
        </>
      )
    }
  </QueryResult>
);

type TableProps<Row> = Pick<Props<Row>, 'label' | 'columns' | 'rowHeight'> & { rows: Row[]; isComplete: boolean };

function SortedTable<Row extends { id: number }>({ rows, isComplete, ...table }: TableProps<Row>) {
  const sorted = useLocalSort(rows, table.columns, isComplete);
  return (
    <DataTable
      {...table}
      rows={sorted.rows}
      rowKey={({ id }) => String(id)}
      {...(sorted.sort ? { sort: sorted.sort } : {})}
    />
  );
}
