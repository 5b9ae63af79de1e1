/** The table of found experiments, with checkboxes for users who may change many at once. */
import { SelectionBar } from '../../bulk/selection-bar.tsx';
import { totalOf } from '../../bulk/chosen.ts';
import { DataTable, type TableSort } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { selectColumn } from '../../table/select-column.tsx';
import type { FoundColumn } from './found-columns.tsx';
import type { useBulk } from './use-bulk.ts';
import type { useFound } from './use-found.ts';
import styles from './experiments-page.module.css';

interface Props {
  found: ReturnType<typeof useFound>;
  columns: readonly FoundColumn[];
  sort: TableSort;
  bulk: ReturnType<typeof useBulk>;
}

export function FoundTable({ found, columns, sort, bulk }: Props) {
  const { kinds, selecting } = bulk;
  const select = selectColumn({ of: selecting, shown: found.rows, nameOf: ({ label }) => label });
  return (
    <div className={selecting.isAny ? styles['selecting'] : undefined}>
      {selecting.isAny ? <FoundSelection found={found} bulk={bulk} /> : null}
      <DataTable
        label="Experiments"
        columns={kinds.length === 0 ? columns : [select, ...columns]}
        rows={found.rows}
        rowKey={({ id }) => String(id)}
        rowHeight={57}
        sort={sort}
      />
      <MoreRows of={found} noun="experiment" />
    </div>
  );
}

function FoundSelection({ found: { first }, bulk }: Pick<Props, 'found' | 'bulk'>) {
  const { selection, selectAll } = bulk.selecting;
  return (
    <SelectionBar
      selected={selection.all ? undefined : selection.rows.size}
      matching={totalOf(first.data?.states ?? [])}
      more={first.data?.more ?? false}
      kinds={bulk.kinds}
      current={bulk.kind}
      onSelectAll={selectAll}
      onClear={bulk.clear}
      onChoose={bulk.open}
    />
  );
}
