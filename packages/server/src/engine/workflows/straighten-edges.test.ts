import { describe, expect, it } from 'vitest';
import type { Drawing, DrawnEdge } from './drawing.ts';
import { straightenEdges } from './straighten-edges.ts';

/** `0,38 20,38` */
const edge = (from: number, to: number, route: string): DrawnEdge => ({
  from,
  to,
  points: route.split(' ').map((point) => {
    const [x = 0, y = 0] = point.split(',').map(Number);
    return { x, y };
  }),
});
const routes = (edges: readonly DrawnEdge[]) =>
  edges.map(({ points }) => points.map(({ x, y }) => `${x},${y}`).join(' '));

const states = [
  { id: 1, x: 0, y: 0 },
  { id: 2, x: 400, y: 300 },
];
const drawing = (edges: DrawnEdge[], more: Drawing['states'] = []): Drawing => ({
  width: 1000,
  height: 1000,
  states: [...states, ...more],
  edges,
});
const detour = '140,38 700,38 700,200 20,200 20,338 400,338';

describe('straightenEdges', () => {
  it('replaces a route to the margin and back by a direct one', () => {
    expect(routes(straightenEdges(drawing([edge(1, 2, detour)])))).toEqual(['140,38 384,38 384,338 400,338']);
  });

  it('keeps a detour around a state', () => {
    const wall = [0, 80, 160, 240, 320].map((y, index) => ({ id: index + 3, x: 200, y }));
    const around = '140,38 160,38 160,420 380,420 380,338 400,338';
    expect(routes(straightenEdges(drawing([edge(1, 2, around)], wall)))).toEqual([around]);
  });

  it('lies on no edge to another state, and joins an edge to the same state', () => {
    const beside = '384,0 384,600';
    const [first] = routes(straightenEdges(drawing([edge(1, 2, detour), edge(8, 9, beside)])));
    expect(first).not.toContain('384,38');
    const [joined] = routes(straightenEdges(drawing([edge(1, 2, detour), edge(8, 2, '384,0 384,338 400,338')])));
    expect(joined).toBe('140,38 384,38 384,338 400,338');
  });
});
