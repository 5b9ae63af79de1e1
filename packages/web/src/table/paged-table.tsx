/** A list in all its states: asked for, refused, empty, or a table with its end. */
import type { ReactNode } from 'react';
import { Answer } from '../shown/answer.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';
import { MoreRows } from './more-rows.tsx';
import type { Pages } from './use-pages.ts';

interface Props<Row> {
  of: Pages<Row>;
  /** In lower case: `external systems`. */
  what: string;
  label: string;
  columns: readonly Column<Row>[];
  /** What stands there instead of no rows. */
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
  <Answer of={pages.first} what={what}>
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
          <MoreRows of={pages} />
        </>
      )
    }
  </Answer>
);
