/**
 * The drawing of a workflow as the API returns it. A drawing of an earlier revision is shown until the new one is ready, unless
 * the workflow has new states.
 */
import { box } from '../../engine/workflows/drawing.ts';
import type { GraphRow } from '../../store/workflows/workflow-graph.ts';
import { drawGrid } from './draw-grid.ts';

export function drawingOf({ states, transitions, layout }: Pick<GraphRow, 'states' | 'transitions' | 'layout'>) {
  const drawn = new Set(layout?.drawing?.states.map(({ id }) => id));
  const stored = states.every(({ id }) => drawn.has(id)) ? layout?.drawing : undefined;
  const { width, height, ...drawing } = stored ?? drawGrid(states, layout?.states ?? [], transitions);
  const corners = new Map(drawing.states.map(({ id, x, y }) => [id, { x, y }]));
  const current = new Set(transitions.map(({ source_id, destination_id }) => `${source_id}-${destination_id}`));
  const edges = drawing.edges
    .filter(({ from, to }) => current.has(`${from}-${to}`))
    .map(({ from, to, points }) => ({ source_id: from, destination_id: to, points }));
  return { boxOf: (id: number) => ({ x: 0, y: 0, ...corners.get(id), ...box }), edges, width, height };
}
