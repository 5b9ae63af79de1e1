/** Which rows of a list are selected. Another query drops the selection. Rows that load later or change do not. */
import { useState } from 'react';
import { nothingSelected, toggleRow, toggleShown, type Selection } from './selection.ts';

export function useSelection<Row extends { id: number }>(query: string, shown: readonly Row[]) {
  const [stored, setStored] = useState<{ query: string; selection: Selection<Row> }>({
    query,
    selection: nothingSelected,
  });
  const selection = stored.query === query ? stored.selection : nothingSelected;
  const set = (next: Selection<Row>) => setStored({ query, selection: next });
  return {
    selection,
    isAny: selection.all || selection.rows.size > 0,
    toggle: (row: Row, isRange: boolean) => set(toggleRow(selection, shown, row, isRange)),
    toggleShown: () => set(toggleShown(selection, shown)),
    selectAll: () => set({ ...nothingSelected, all: true }),
    clear: () => set(nothingSelected),
  };
}
