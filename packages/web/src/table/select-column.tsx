/** The column of checkboxes that select the rows of a table. */
import { useEffect, useRef, type MouseEvent } from 'react';
import type { Column } from './column.ts';
import { isSelected, selectedPart } from './selection.ts';
import type { useSelection } from './use-selection.ts';
import styles from './select-column.module.css';

interface Source<Row extends { id: number }> {
  of: Pick<ReturnType<typeof useSelection<Row>>, 'selection' | 'toggle' | 'toggleShown'>;
  shown: readonly Row[];
  nameOf: (row: Row) => string;
}

export const selectColumn = <Row extends { id: number }>({ of, shown, nameOf }: Source<Row>): Column<Row> => ({
  id: 'select',
  header: 'Select',
  head: <SelectShown part={selectedPart(of.selection, shown)} onToggle={of.toggleShown} />,
  select: true,
  width: '32px',
  text: () => '',
  cell: (row) => (
    <label className={styles['box']}>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={isSelected(of.selection, row)}
        onMouseDown={keepTextUnselected}
        onChange={({ nativeEvent }) => of.toggle(row, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </label>
  ),
});

/** A click with Shift would also select the text of the rows between. */
function keepTextUnselected(event: MouseEvent<HTMLInputElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus();
}

function SelectShown({ part, onToggle }: { part: 'all' | 'some' | 'none'; onToggle: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = part === 'some';
  }, [part]);
  return (
    <label className={styles['box']}>
      <input ref={box} type="checkbox" aria-label="Select loaded rows" checked={part === 'all'} onChange={onToggle} />
    </label>
  );
}
