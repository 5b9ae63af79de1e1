/** A table column, with the cell for the page and the text for CSV. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  text: (row: Row) => string;
  /** For numbers. */
  align?: 'right';
  /** A CSS width. Columns without one share the rest. */
  width?: string;
  /** Whether the column names the row. It cannot be hidden. */
  names?: true;
  /** Hidden on narrow screens. */
  wideOnly?: true;
  /** Hidden by default. */
  hidden?: true;
  /** For buttons. The column cannot be hidden and is not exported. */
  control?: true;
}
