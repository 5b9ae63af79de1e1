/**
 * Turns the positions of states (docs/decisions/0015) into boxes of equal size. Layers are columns from left to right, and slots
 * are rows. A state without a position, because the layout of its revision is pending, is in an extra last column.
 */
import type { Layout } from '../../store/workflows/workflow-graph.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const size = { width: 184, height: 48 };
const between = { columns: 80, rows: 32 };

/** A box for each state, in the same order. The graph starts at 0, 0. */
export function drawStates(states: readonly { id: number }[], positions: Layout['states']): Box[] {
  const known = new Map(positions.map((position) => [position.id, position]));
  const lastLayer = Math.max(-1, ...states.map(({ id }) => known.get(id)?.layer ?? -1)) + 1;
  const unknown = states.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const placed = states.map(
    ({ id }) => known.get(id) ?? { layer: lastLayer, slot: unknown.indexOf(id) - (unknown.length - 1) / 2 },
  );
  const highest = Math.min(0, ...placed.map(({ slot }) => slot));
  return placed.map(({ layer, slot }) => ({
    x: layer * (size.width + between.columns),
    y: (slot - highest) * (size.height + between.rows),
    ...size,
  }));
}
