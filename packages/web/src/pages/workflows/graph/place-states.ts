/**
 * Converts the stored layout to pixels: layers become columns. A workflow that is wider than the page wraps to new lines,
 * so that it can be read without horizontal scrolling.
 */
export interface Box {
  id: number;
  x: number;
  y: number;
}

export interface Placed extends Box {
  /** The line of columns that contains the state, from the top, and the column within it. */
  line: number;
  column: number;
  /** Whether the state is the topmost, or the bottommost, of its column. */
  first: boolean;
  last: boolean;
}

export const node = { width: 164, height: 78 };
/** The space between lines is for the edges that connect them. Columns move apart to fill the width. */
export const gap = { columns: 44, widest: 88, rows: 26, lines: 72 };
const rowPitch = node.height + gap.rows;

const distinct = (values: readonly number[]) => [...new Set(values)].toSorted((a, b) => a - b);

/** The number of columns that fit, balanced so that the last line is about as long as the others. */
function columnsPerLine(layers: number, width: number): number {
  const fitting = Math.max(2, Math.floor((width + gap.columns) / (node.width + gap.columns)));
  return Math.ceil(layers / Math.ceil(layers / fitting));
}

function columnPitch(columns: number, width: number): number {
  const filling = (width - columns * node.width) / Math.max(1, columns - 1);
  return node.width + Math.min(gap.widest, Math.max(gap.columns, Math.floor(filling)));
}

interface Cell {
  id: number;
  line: number;
  column: number;
  row: number;
}

function cellsOf(boxes: readonly Box[], width: number, rowHeight: number): Cell[] {
  const layers = distinct(boxes.map(({ x }) => x));
  const perLine = columnsPerLine(layers.length, width);
  return boxes.map(({ id, x, y }) => {
    const layer = layers.indexOf(x);
    return { id, line: Math.floor(layer / perLine), column: layer % perLine, row: y / rowHeight };
  });
}

function placeLine(cells: readonly Cell[], top: number, pitch: number): Placed[] {
  const highest = Math.min(...cells.map(({ row }) => row));
  return cells.map(({ id, line, column, row }) => {
    const rows = cells.filter((cell) => cell.column === column).map((cell) => cell.row);
    const y = top + (row - highest) * rowPitch;
    return {
      id,
      line,
      column,
      x: column * pitch,
      y,
      first: row === Math.min(...rows),
      last: row === Math.max(...rows),
    };
  });
}

/** `rowHeight` is the vertical distance of two states in the stored layout. */
export function placeStates(boxes: readonly Box[], width: number, rowHeight: number): Placed[] {
  const cells = cellsOf(boxes, width, rowHeight);
  const pitch = columnPitch(Math.max(...cells.map(({ column }) => column)) + 1, width);
  const placed: Placed[] = [];
  for (const line of distinct(cells.map((cell) => cell.line))) {
    const top = placed.length === 0 ? 0 : extentOf(placed).height + gap.lines;
    placed.push(
      ...placeLine(
        cells.filter((cell) => cell.line === line),
        top,
        pitch,
      ),
    );
  }
  return placed;
}

export const extentOf = (places: readonly Box[]) => ({
  width: Math.max(0, ...places.map(({ x }) => x)) + node.width,
  height: Math.max(0, ...places.map(({ y }) => y)) + node.height,
});
