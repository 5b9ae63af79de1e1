/**
 * The table of every list. Only visible rows are rendered, so that 10,000 rows scroll smoothly; ARIA roles and counts
 * describe the whole table. On a narrow screen, a row becomes a block.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';
import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  rowHeight?: number;
  sort?: TableSort;
}

/** The order of the rows, which the server made. */
export interface TableSort {
  /** The direction of a column, if the rows are in its order. Undefined for a column that cannot be sorted by. */
  directionOf: (columnId: string) => 'ascending' | 'descending' | 'none' | undefined;
  onSort: (columnId: string) => void;
}

/** The rows near the viewport, and the heights above and below them. */
function useNearRows(count: number, rowHeight: number, keyOf: (index: number) => string) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const measureTop = useCallback(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  }, []);
  useLayoutEffect(measureTop, [measureTop, count]);
  // Content above the table can grow later, for example a graph.
  useEffect(() => {
    const resized = new ResizeObserver(measureTop);
    resized.observe(body.current?.closest('main') ?? document.body);
    return () => resized.disconnect();
  }, [measureTop]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    getItemKey: keyOf,
  });
  const near = virtual.getVirtualItems();
  const above = (near[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((near.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return { body, near, above, below, measure: virtual.measureElement };
}

export function DataTable<Row>({ label, columns, rows, rowKey, rowHeight = 41, sort }: Props<Row>) {
  const keyOf = (index: number) => (rows[index] === undefined ? '' : rowKey(rows[index]));
  const { body, near, above, below, measure } = useNearRows(rows.length, rowHeight, keyOf);
  return (
    <table className={styles['table']} aria-label={label} aria-rowcount={rows.length + 1}>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              aria-sort={sort?.directionOf(column.id)}
              style={{ width: column.width }}
              {...attributesOf(column)}
            >
              <Head column={column} sort={sort} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        <Gap height={above} />
        {near.map(({ index, key }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <tr key={key} role="row" data-index={index} aria-rowindex={index + 2} ref={measure} onClick={followRowLink}>
              {columns.map((column) => (
                <td key={column.id} role={column.names ? 'rowheader' : 'cell'} {...attributesOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

function Head<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }) {
  if (column.head !== undefined) return column.head;
  if (column.control) return <span className={styles['unseen']}>{column.header}</span>;
  const direction = sort?.directionOf(column.id);
  if (!sort || direction === undefined) return column.header;
  return (
    <button type="button" className={styles['sort']} onClick={() => sort.onSort(column.id)}>
      {column.header}
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" data-direction={direction}>
        <path d="M5 1v8M2 6l3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" />
      </svg>
    </button>
  );
}

/** A click anywhere in a row opens what it names, unless it was on a control or selected text. */
function followRowLink({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLTableRowElement>): void {
  const isControl = target instanceof Element && target.closest('a, button, input, textarea, select, label') !== null;
  if (
    isControl ||
    !(target instanceof Node && currentTarget.contains(target)) ||
    window.getSelection()?.isCollapsed === false
  )
    return;
  const link = currentTarget.querySelector('[data-names] a:not([target])');
  link?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

const attributesOf = <Row,>({ align, wideOnly, broad, control, names, select }: Column<Row>) => ({
  'data-align': align,
  'data-wide-only': wideOnly,
  'data-broad': broad,
  'data-control': control,
  'data-names': names,
  'data-select': select,
});

const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className={styles['gap']}>
      <td style={{ height }} />
    </tr>
  ) : null;
