/** Sorts the rows of a list that is loaded as a whole, by the text of a column. */
import { useState } from 'react';
import type { Column } from './column.ts';
import type { TableSort } from './data-table.tsx';

export interface Order {
  columnId: string;
  isDescending: boolean;
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | undefined): Row[] {
  const column = columns.find(({ id }) => id === order?.columnId);
  if (!column) return [...rows];
  const sign = order?.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(column.text(a), column.text(b)));
}

/** The third click on a column restores the initial order. */
const nextOrder = (order: Order | undefined, columnId: string): Order | undefined => {
  if (order?.columnId !== columnId) return { columnId, isDescending: false };
  return order.isDescending ? undefined : { columnId, isDescending: true };
};

/**
 * Rows that are still to be loaded could belong anywhere, so an incomplete list is not sorted. Without `initial`, a list has the
 * order of the server until the user chooses another one.
 */
export function useLocalSort<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  isComplete: boolean,
  initial?: Order,
) {
  const [chosen, setOrder] = useState<Order>();
  const order = chosen ?? initial;
  if (!isComplete) return { rows, sort: undefined };
  const sort: TableSort = {
    directionOf: (id) => {
      const column = columns.find((one) => one.id === id);
      if (column?.control || column?.head !== undefined) return undefined;
      if (order?.columnId !== id) return 'none';
      return order.isDescending ? 'descending' : 'ascending';
    },
    onSort: (id) => setOrder(nextOrder(order, id)),
  };
  return { rows: sortRows(rows, columns, order), sort };
}
