/** A list in all its states: loading, failed, empty, or a table with a footer. */
import type { ReactNode } from 'react';
import { QueryResult } from '../ui/query-result.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
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

export const PagedTable = <Row extends { id: number }>({
  of: pages,
  what,
  label,
  columns,
  empty,
  rowHeight = 41,
}: Props<Row>) => (
  <QueryResult query={pages.first} what={what}>
    {() =>
      pages.rows.length === 0 ? (
        empty
      ) : (
        <>
          <DataTable
            label={label}
            columns={columns}
            rows={pages.rows}
            rowKey={({ id }) => String(id)}
            rowHeight={rowHeight}
          />
          <MoreRows of={pages} noun={what.replace(/s$/, '')} />
        </>
      )
    }
  </QueryResult>
);
