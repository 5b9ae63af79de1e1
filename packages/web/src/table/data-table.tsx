/**
 * The table of every list. Only visible rows are rendered, so that 10,000 rows scroll smoothly; ARIA roles and counts
 * describe the whole table. On a narrow screen, a row becomes a block.
 */
import {
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
  type RowData,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Column } from './column.ts';
import styles from './data-table.module.css';

const features = tableFeatures({ columnVisibilityFeature });

interface Props<Row extends RowData> {
  label: string;
  columns: readonly Column<Row>[];
  /** Ids of the hidden columns. */
  hidden?: ReadonlySet<string>;
  rows: Row[];
  rowKey: (row: Row) => string;
  rowHeight?: number;
}

function useDefinitions<Row extends RowData>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map(({ id, header, text, cell }) =>
        helper.accessor(text, { id, header, cell: ({ row }) => cell(row.original) }),
      ),
    );
  }, [columns]);
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

export function DataTable<Row extends RowData>({ label, columns, hidden, rows, rowKey, rowHeight = 41 }: Props<Row>) {
  const columnVisibility = Object.fromEntries([...(hidden ?? [])].map((id) => [id, false]));
  const table = useTable({
    features,
    columns: useDefinitions(columns),
    data: rows,
    getRowId: rowKey,
    state: { columnVisibility },
  });
  const all = table.getRowModel().rows;
  const { body, near, above, below, measure } = useNearRows(all.length, rowHeight, (index) => all[index]?.id ?? '');
  const columnOf = (id: string) => columns.find((column) => column.id === id);
  return (
    <table className={styles['table']} aria-label={label} aria-rowcount={all.length + 1}>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} role="row" aria-rowindex={1}>
            {group.headers.map((header) => (
              <th
                key={header.id}
                role="columnheader"
                scope="col"
                style={{ width: columnOf(header.id)?.width }}
                {...attributesOf(columnOf(header.id))}
              >
                {columnOf(header.id)?.control ? (
                  <span className={styles['unseen']}>{columnOf(header.id)?.header}</span>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup" ref={body}>
        <Gap height={above} />
        {near.map(({ index }) => {
          const row = all[index];
          if (!row) return null;
          return (
            <tr key={row.id} role="row" data-index={index} aria-rowindex={index + 2} ref={measure}>
              {row.getVisibleCells().map((cell) => (
                <td
                  key={cell.id}
                  role={columnOf(cell.column.id)?.names ? 'rowheader' : 'cell'}
                  {...attributesOf(columnOf(cell.column.id))}
                >
                  <table.FlexRender cell={cell} />
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

const attributesOf = (column: { align?: 'right'; wideOnly?: true; control?: true; names?: true } | undefined) => ({
  'data-align': column?.align,
  'data-wide-only': column?.wideOnly,
  'data-control': column?.control,
  'data-names': column?.names,
});

const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className={styles['gap']}>
      <td style={{ height }} />
    </tr>
  ) : null;
