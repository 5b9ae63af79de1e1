/**
 * Draws a workflow without a stored drawing (docs/decisions/0041) as a grid. Layers are columns from left to right. Edges run in
 * the gaps between columns and rows, so they cross no state. A state without a position, because the layout of its revision is
 * pending, is in an extra last column.
 */
import { box, type Drawing, type Point } from '../../engine/workflows/drawing.ts';
import type { GraphTransition, Layout } from '../../store/workflows/workflow-graph.ts';

type Place = Layout['states'][number];
interface Cell {
  id: number;
  column: number;
  row: number;
}

const gap = { columns: 60, rows: 44 };
const pitch = { x: box.width + gap.columns, y: box.height + gap.rows };
const lanes = 7;
const laneDistance = 5;

export function drawGrid(
  states: readonly { id: number }[],
  places: readonly Place[],
  transitions: readonly Pick<GraphTransition, 'source_id' | 'destination_id'>[],
): Drawing {
  const cells = cellsOf(states, places);
  const pairs = new Map(
    transitions.map(({ source_id: from, destination_id: to }): [string, { from: number; to: number }] => [
      `${from}-${to}`,
      { from, to },
    ]),
  );
  const edges = [...pairs.values()].flatMap(({ from, to }, index) => {
    const [source, destination] = [cells.get(from), cells.get(to)];
    if (!source || !destination || from === to) return [];
    return [{ from, to, points: routeOf(source, destination, (index % lanes) * laneDistance - 15) }];
  });
  const count = (key: 'column' | 'row') => Math.max(-1, ...[...cells.values()].map((cell) => cell[key])) + 1;
  return {
    width: gap.columns + count('column') * pitch.x,
    height: count('row') * pitch.y,
    states: [...cells.values()].map((cell) => ({ id: cell.id, ...cornerOf(cell) })),
    edges,
  };
}

/** In the order of `states`. The first row of each column is row 0. */
function cellsOf(states: readonly { id: number }[], places: readonly Place[]): Map<number, Cell> {
  const known = new Map(places.map((place) => [place.id, place]));
  const columnOf = (id: number) => known.get(id)?.layer ?? lastColumn;
  const lastColumn = Math.max(-1, ...states.map(({ id }) => known.get(id)?.layer ?? -1)) + 1;
  const columns = Map.groupBy(states, ({ id }) => columnOf(id));
  const rows = new Map(
    [...columns.values()].flatMap((inColumn) =>
      inColumn
        .toSorted((a, b) => (known.get(a.id)?.slot ?? 0) - (known.get(b.id)?.slot ?? 0))
        .map(({ id }, row): [number, number] => [id, row]),
    ),
  );
  return new Map(states.map(({ id }) => [id, { id, column: columnOf(id), row: rows.get(id) ?? 0 }]));
}

const cornerOf = ({ column, row }: Cell) => ({ x: gap.columns + column * pitch.x, y: row * pitch.y });

/** `offset` separates edges in the same gap. */
function routeOf(source: Cell, destination: Cell, offset: number): Point[] {
  const [from, to] = [cornerOf(source), cornerOf(destination)];
  const start = { x: from.x + box.width, y: from.y + box.height / 2 };
  const end = { x: to.x, y: to.y + box.height / 2 };
  const leaving = start.x + gap.columns / 2 + offset;
  if (destination.column === source.column + 1) {
    return [start, { x: leaving, y: start.y }, { x: leaving, y: end.y }, end];
  }
  const arriving = end.x - gap.columns / 2 + offset;
  const channel = from.y + box.height + gap.rows / 2 + offset;
  return [
    start,
    { x: leaving, y: start.y },
    { x: leaving, y: channel },
    { x: arriving, y: channel },
    { x: arriving, y: end.y },
    end,
  ];
}
