/** A column: how a cell looks, and the same as text, for the CSV. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  text: (row: Row) => string;
  /** Figures stand under each other, at the right. */
  align?: 'right';
  /** Of the width of the table; the rest is shared. */
  width?: string;
  /** The one that names the row: it cannot be hidden. */
  names?: true;
  /** Left out where the screen is narrow. */
  wideOnly?: true;
  /** Not there until somebody chooses it. */
  hidden?: true;
  /** For buttons: neither chosen nor exported. */
  control?: true;
}
