/** A table column. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: string;
  /** Instead of the header. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** For sorting. */
  text: (row: Row) => string;
  /** The columns of the API's CSV that have the same data. Without them, the column is not exported. */
  csv?: readonly string[];
  /** For numbers. */
  align?: 'right';
  /** A CSS width. Columns without one share the rest. */
  width?: string;
  /** Whether the column names the row. It cannot be hidden. */
  names?: true;
  /** Hidden on narrow screens. */
  wideOnly?: true;
  /** On narrow screens, it has the whole width below the first line. */
  broad?: true;
  /** For buttons. The column cannot be hidden. */
  control?: true;
  /** For the checkboxes that select rows. */
  select?: true;
}
