/**
 * Moves the boxes of the main line to the same height if straight edges connect them. elkjs places a box by the middle of its edges, so
 * boxes with different numbers of edges are a few pixels apart. The edges stay where they are.
 */
import { box, hitsBox, segmentsOf, type Drawing, type DrawnEdge } from './drawing.ts';

/** An edge does not end at the rounded corner of a box. */
const cornerHeight = 8;

type State = Drawing['states'][number];

export function alignRows(drawing: Drawing, line: readonly number[]): Drawing {
  const rows = rowsOf(drawing, line);
  const states = rows.reduce((placed, row) => alignRow(placed, row, drawing.edges), drawing.states);
  return { ...drawing, states };
}

/** The states of the main line, with a new row where the edge to the next one bends. */
function rowsOf({ edges }: Drawing, line: readonly number[]): number[][] {
  const isStraight = (from: number, to: number) =>
    edges.some((edge) => edge.from === from && edge.to === to && edge.points.length === 2);
  const rows: number[][] = [];
  for (const [index, id] of line.entries()) {
    const previous = line[index - 1];
    if (previous !== undefined && isStraight(previous, id)) rows.at(-1)?.push(id);
    else rows.push([id]);
  }
  return rows;
}

/** If no height suits all boxes, each box comes as near to it as its edges allow. */
function alignRow(states: State[], row: readonly number[], edges: readonly DrawnEdge[]): State[] {
  const members = states.filter(({ id }) => row.includes(id));
  const ranges = members.map((state) => rangeOf(state, edges));
  const height = Math.round(
    (Math.max(...ranges.map(({ least }) => least)) + Math.min(...ranges.map(({ most }) => most))) / 2,
  );
  const moved = new Map(
    members.map((state, index): [number, State] => {
      const { least, most } = ranges[index] ?? { least: state.y, most: state.y };
      return [state.id, { ...state, y: Math.min(most, Math.max(least, height)) }];
    }),
  );
  const next = states.map((state) => moved.get(state.id) ?? state);
  return isFree([...moved.values()], next, edges) ? next : states;
}

/** Where the top of the box can be, so that all its edges still end at its sides. */
function rangeOf({ id, y }: State, edges: readonly DrawnEdge[]): { least: number; most: number } {
  const ends = edges.flatMap(({ from, to, points }) => [
    ...(from === id ? points.slice(0, 1) : []),
    ...(to === id ? points.slice(-1) : []),
  ]);
  if (ends.length === 0) return { least: y, most: y };
  const heights = ends.map((end) => end.y);
  return {
    least: Math.min(y, Math.max(0, Math.max(...heights) - box.height + cornerHeight)),
    most: Math.max(y, Math.min(...heights) - cornerHeight),
  };
}

const margin = 8;

const isFree = (moved: readonly State[], states: readonly State[], edges: readonly DrawnEdge[]): boolean =>
  moved.every(
    (one) =>
      states.every((other) => other.id === one.id || !overlaps(one, other)) &&
      edges.every(
        ({ from, to, points }) =>
          from === one.id ||
          to === one.id ||
          segmentsOf({ points }).every((segment) => !hitsBox(segment, one, margin / 2)),
      ),
  );

const overlaps = (one: State, other: State) =>
  Math.abs(one.x - other.x) < box.width + margin && Math.abs(one.y - other.y) < box.height + margin;
