/** The selected rows of a table: some of the loaded rows, or all that match the query, also those that are not loaded. */
export interface Selection<Row> {
  all: boolean;
  /** By id. A row stays selected when it leaves the list. Empty if all are selected. */
  rows: ReadonlyMap<number, Row>;
  /** The row that was clicked last, at which a range starts. */
  anchor: number | undefined;
}

interface Identified {
  id: number;
}

export const nothingSelected = { all: false, rows: new Map<number, never>(), anchor: undefined } as const;

const byId = <Row extends Identified>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

export const isSelected = <Row extends Identified>({ all, rows }: Selection<Row>, { id }: Identified): boolean =>
  all || rows.has(id);

/** The rows from the anchor to this one. Only this one if the anchor is not shown. */
function rangeTo<Row extends Identified>(shown: readonly Row[], anchor: number | undefined, row: Row): readonly Row[] {
  const from = shown.findIndex(({ id }) => id === anchor);
  const to = shown.findIndex(({ id }) => id === row.id);
  return from < 0 || to < 0 ? [row] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** Selects a row, or clears it, together with the rows up to the one that was clicked before if it is a range. */
export function toggleRow<Row extends Identified>(
  before: Selection<Row>,
  shown: readonly Row[],
  row: Row,
  isRange: boolean,
): Selection<Row> {
  const rows = before.all ? byId(shown) : new Map(before.rows);
  const selects = !isSelected(before, row);
  for (const one of isRange ? rangeTo(shown, before.anchor, row) : [row]) {
    if (selects) rows.set(one.id, one);
    else rows.delete(one.id);
  }
  return { all: false, rows, anchor: row.id };
}

/** Of the loaded rows. */
export function selectedPart<Row extends Identified>(
  selection: Selection<Row>,
  shown: readonly Row[],
): 'all' | 'some' | 'none' {
  if (shown.length > 0 && shown.every((row) => isSelected(selection, row))) return 'all';
  return selection.rows.size > 0 ? 'some' : 'none';
}

/** Selects the loaded rows, or nothing if they all are selected. */
export const toggleShown = <Row extends Identified>(before: Selection<Row>, shown: readonly Row[]): Selection<Row> =>
  selectedPart(before, shown) === 'all'
    ? nothingSelected
    : { all: false, rows: new Map([...before.rows, ...byId(shown)]), anchor: undefined };
