import { describe, expect, it } from 'vitest';
import type { Column } from './column.ts';
import { sortRows } from './use-local-sort.ts';

const columns: Column<string>[] = [{ id: 'name', header: 'Name', text: (row) => row, cell: (row) => row }];
const rows = ['site 10', 'Site 2', 'alpha'];

describe('sortRows', () => {
  it('sorts by the text of the column, with numbers by their value and without regard to case', () => {
    expect(sortRows(rows, columns, { columnId: 'name', isDescending: false })).toEqual(['alpha', 'Site 2', 'site 10']);
    expect(sortRows(rows, columns, { columnId: 'name', isDescending: true })).toEqual(['site 10', 'Site 2', 'alpha']);
  });

  it('keeps the order without a column', () => {
    expect(sortRows(rows, columns, undefined)).toEqual(rows);
    expect(sortRows(rows, columns, { columnId: 'gone', isDescending: false })).toEqual(rows);
  });
});
