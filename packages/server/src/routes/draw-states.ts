/**
 * Turns the places of states (docs/decisions/0015) into boxes of one size: layers are columns from left to right, slots stand
 * one below the other. A state that has no place yet, as its revision is not drawn, stands in a column behind all others, so
 * that a picture can always be shown.
 */
import type { Layout } from '../store/workflow-graph.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const size = { width: 184, height: 48 };
const between = { columns: 80, rows: 32 };

/** A box for each state, in their order. The picture begins at 0, 0. */
export function drawStates(states: readonly { id: number }[], places: Layout['states']): Box[] {
  const known = new Map(places.map((place) => [place.id, place]));
  const behind = Math.max(-1, ...states.map(({ id }) => known.get(id)?.layer ?? -1)) + 1;
  const unknown = states.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const placed = states.map(
    ({ id }) => known.get(id) ?? { layer: behind, slot: unknown.indexOf(id) - (unknown.length - 1) / 2 },
  );
  const highest = Math.min(0, ...placed.map(({ slot }) => slot));
  return placed.map(({ layer, slot }) => ({
    x: layer * (size.width + between.columns),
    y: (slot - highest) * (size.height + between.rows),
    ...size,
  }));
}
