/** The drawing of a workflow's graph: readable, complete, and no edge through a state or outside the drawing. */
import { describe, expect, it } from 'vitest';
import { demoGraph, faultsOf, randomGraph } from '../../../testing/workflow-graphs.ts';
import { drawGraph } from './draw-graph.ts';
import { box, type Drawing, type Point } from './drawing.ts';
import { isMainEdge, mainLine } from './main-line.ts';

const cornerOf = ({ states }: Drawing, id: number) => states.find((state) => state.id === id) ?? { x: -1, y: -1 };

const overlapping = ({ states }: Drawing) =>
  states.filter((a) =>
    states.some((b) => a !== b && Math.abs(a.x - b.x) < box.width && Math.abs(a.y - b.y) < box.height),
  );

const touches = ({ x, y }: Point, point: Point = { x: -1, y: -1 }) =>
  point.x >= x - 1 && point.x <= x + box.width + 1 && point.y >= y - 1 && point.y <= y + box.height + 1;

/** Edges whose ends are not on the boxes of their states. */
const loose = (drawing: Drawing) =>
  drawing.edges.filter(
    ({ from, to, points }) =>
      !touches(cornerOf(drawing, from), points[0]) || !touches(cornerOf(drawing, to), points.at(-1)),
  );

describe('drawGraph', () => {
  it.each([
    ["the demo's graph", demoGraph()],
    ['a graph of 40 states', randomGraph(40, 4)],
    ['a graph of 120 states', randomGraph(120, 12)],
    ['a graph of 200 states', randomGraph(200, 20)],
  ])('draws %s without an edge through a state or outside the drawing', { timeout: 300_000 }, async (_what, graph) => {
    const drawing = await drawGraph(graph);
    const expected = new Set(graph.edges.filter(([from, to]) => from !== to).map(([from, to]) => `${from}>${to}`));
    expect(new Set(drawing.edges.map(({ from, to }) => `${from}>${to}`))).toEqual(expected);
    expect(drawing.edges).toHaveLength(expected.size);
    expect(drawing.states.map(({ id }) => id)).toEqual(graph.states);
    expect(faultsOf(drawing)).toEqual([]);
    expect(overlapping(drawing)).toEqual([]);
    expect(loose(drawing)).toEqual([]);
  });

  it("fits the demo's graph into a page, with the final states in the last column", async () => {
    const drawing = await drawGraph(demoGraph());
    expect(drawing.width).toBeLessThanOrEqual(1170);
    const columns = [13, 14, 15].map((id) => cornerOf(drawing, id).x);
    expect(columns).toEqual(Array.from({ length: 3 }, () => Math.max(...drawing.states.map(({ x }) => x))));
  });

  it("draws each row of the demo's main line straight", async () => {
    const drawing = await drawGraph(demoGraph());
    const line = mainLine(demoGraph());
    const bent = drawing.edges.filter(({ from, to, points }) => isMainEdge(line, [from, to]) && points.length > 2);
    // The only bend is the wrap from the first row to the second.
    expect(bent.map(({ from, to }) => [from, to])).toEqual([[5, 6]]);
    const secondRow = line.slice(line.indexOf(6)).map((id) => cornerOf(drawing, id).y);
    expect(new Set(secondRow).size).toBe(1);
  });

  it('places the states of a loop in the order of the definition', async () => {
    const drawing = await drawGraph({
      start: 1,
      states: [1, 2, 3],
      edges: [
        [3, 1],
        [2, 3],
        [1, 2],
      ],
    });
    const columns = [1, 2, 3].map((id) => cornerOf(drawing, id).x);
    expect(columns).toEqual(columns.toSorted((a, b) => a - b));
    expect(new Set(columns).size).toBe(3);
  });

  it('draws a single state', async () => {
    expect(await drawGraph({ start: 1, states: [1], edges: [[1, 1]] })).toMatchObject({
      states: [{ id: 1 }],
      edges: [],
    });
  });
});
