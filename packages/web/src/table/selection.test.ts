import { describe, expect, it } from 'vitest';
import { isSelected, nothingSelected, selectedPart, toggleRow, toggleShown, type Selection } from './selection.ts';

const rows = [5, 3, 8, 1].map((id) => ({ id }));
type Row = (typeof rows)[number];
const row = (id: number): Row => ({ id });
const idsOf = (selection: Selection<Row>) => [...selection.rows.keys()];
const none: Selection<Row> = nothingSelected;

describe('toggling a row', () => {
  it('selects it and clears it again', () => {
    const once = toggleRow(none, rows, row(3), false);
    expect(idsOf(once)).toEqual([3]);
    expect(idsOf(toggleRow(once, rows, row(3), false))).toEqual([]);
  });

  it('as a range selects the rows up to the previous one, in the order of the table', () => {
    const from = toggleRow(none, rows, row(8), false);
    expect(idsOf(toggleRow(from, rows, row(5), true))).toEqual([8, 5, 3]);
  });

  it('as a range clears the rows if the row was selected', () => {
    const all = toggleShown(none, rows);
    const from = toggleRow(all, rows, row(3), false);
    expect(idsOf(toggleRow(from, rows, row(1), true))).toEqual([5]);
  });

  it('as a range selects only the row if the previous one is no longer shown', () => {
    const from = toggleRow(none, rows, row(8), false);
    expect(idsOf(toggleRow(from, [row(5), row(1)], row(1), true))).toEqual([8, 1]);
  });

  it('when all that match are selected leaves the other loaded rows', () => {
    const after = toggleRow({ ...none, all: true }, rows, row(8), false);
    expect(after.all).toBe(false);
    expect(idsOf(after)).toEqual([5, 3, 1]);
  });
});

describe('the loaded rows', () => {
  it('are selected together, and cleared together', () => {
    const all = toggleShown(toggleRow(none, rows, row(3), false), rows);
    expect(selectedPart(all, rows)).toBe('all');
    expect(idsOf(toggleShown(all, rows))).toEqual([]);
  });

  it('are selected in part when more are loaded', () => {
    expect(selectedPart(toggleShown(none, rows), [...rows, row(9)])).toBe('some');
    expect(selectedPart(none, rows)).toBe('none');
  });

  it('keep rows that left the list', () => {
    const first = toggleRow(none, rows, row(3), false);
    expect(idsOf(toggleShown(first, [row(9)]))).toEqual([3, 9]);
  });

  it('are all selected if all that match are', () => {
    const all: Selection<Row> = { ...none, all: true };
    expect(selectedPart(all, [...rows, row(9)])).toBe('all');
    expect(isSelected(all, row(12))).toBe(true);
  });
});
