import { describe, expect, it } from 'vitest';
import { layOutGraph } from '../../engine/workflows/lay-out-graph.ts';
import { demoGraph, faultsOf, randomGraph } from '../../../testing/workflow-graphs.ts';
import { drawGrid } from './draw-grid.ts';

const states = [{ id: 3 }, { id: 4 }, { id: 5 }];
const corners = (drawing: ReturnType<typeof drawGrid>) => drawing.states.map(({ x, y }) => [x, y]);

describe('drawGrid', () => {
  it('draws layers as columns and slots as rows', () => {
    const places = [
      { id: 5, layer: 1, slot: 0.5 },
      { id: 3, layer: 0, slot: 0 },
      { id: 4, layer: 1, slot: -0.5 },
    ];
    expect(corners(drawGrid(states, places, []))).toEqual([
      [60, 0],
      [260, 0],
      [260, 120],
    ]);
  });

  it('adds a last column for states without a position', () => {
    expect(corners(drawGrid(states, [{ id: 4, layer: 0, slot: 0 }], []))).toEqual([
      [260, 0],
      [60, 0],
      [260, 120],
    ]);
  });

  it('draws an empty workflow', () => {
    expect(drawGrid([], [], [])).toMatchObject({ states: [], edges: [] });
  });

  it.each([
    ["the demo's graph", demoGraph()],
    ['a graph of 40 states', randomGraph(40, 4)],
    ['a graph of 120 states', randomGraph(120, 12)],
    ['a graph of 200 states', randomGraph(200, 20)],
  ])('draws %s without an edge through a state or outside the drawing', (_what, graph) => {
    const transitions = graph.edges.map(([source_id, destination_id]) => ({ source_id, destination_id }));
    const places = layOutGraph(graph, () => false);
    const drawing = drawGrid(
      graph.states.map((id) => ({ id })),
      places,
      transitions,
    );
    expect(faultsOf(drawing)).toEqual([]);
    expect(drawing.edges.length).toBeGreaterThan(20);
  });
});
