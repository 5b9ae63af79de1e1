/**
 * Draws the graph of a workflow with elkjs: boxes of equal size in layers from left to right, in the order of the definition, and
 * orthogonal edges with their bend points (docs/decisions/0041). A graph that is too wide for a page wraps to further rows.
 */
import elkjs from 'elkjs';
import type { ElkExtendedEdge, ElkNode, ELK, LayoutOptions } from 'elkjs';
import { box, type Drawing, type Point } from './drawing.ts';
import type { Graph } from './lay-out-graph.ts';
import { alignRows } from './align-rows.ts';
import { isMainEdge, mainLine } from './main-line.ts';
import { straightenEdges } from './straighten-edges.ts';

/** The width of a page on a common laptop. */
const maxWidth = 1170;
/** From wide to narrow, until one fits: first in one row. A large graph is drawn in many rows from the start. */
const shapes = (states: number): LayoutOptions[] =>
  states <= 40 ? [{}, wrapped(1.6), wrapped(0.9), wrapped(0.5)] : [wrapped(0.3), wrapped(0.15)];
const wrapped = (aspectRatio: number): LayoutOptions => ({
  'elk.layered.wrapping.strategy': 'MULTI_EDGE',
  'elk.aspectRatio': String(aspectRatio),
});
/** In a larger graph, a column of all final states would be far from the states that lead to them. */
const alignsFinals = (states: number) => states <= 24;

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '9',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '9',
  'elk.padding': '[top=2,left=2,bottom=2,right=2]',
};

/** Network simplex keeps the main line straighter, but takes six times as long for 120 states. */
const placement = (states: number): LayoutOptions => ({
  'elk.layered.nodePlacement.strategy': states <= 40 ? 'NETWORK_SIMPLEX' : 'BRANDES_KOEPF',
});

/** Parallel edges are drawn once, and edges from a state to itself are not drawn. */
export async function drawGraph(graph: Graph): Promise<Drawing> {
  const elk: ELK = new elkjs.default();
  const pairs = distinctEdges(graph);
  const line = mainLine(graph);
  let drawing: Drawing | undefined;
  for (const shape of shapes(graph.states.length)) {
    const layoutOptions = { ...options, ...placement(graph.states.length), ...shape };
    drawing = drawingOf(await elk.layout({ id: 'graph', layoutOptions, ...elkGraph(graph.states, pairs, line) }));
    if (drawing.width <= maxWidth) break;
  }
  if (!drawing) throw new Error('no shape to draw the graph in');
  return alignRows({ ...drawing, edges: straightenEdges(drawing) }, line);
}

type Pair = readonly [from: number, to: number];

const distinctEdges = ({ edges }: Graph): Pair[] => {
  const proper = edges.filter(([from, to]) => from !== to);
  return [...new Map(proper.map((edge): [string, Pair] => [edge.join('-'), edge])).values()];
};

const inPort = (state: number) => `${state}-in`;

/** Edges that lead forward to the same state share its port, so that they join before they reach it. */
function elkGraph(
  states: readonly number[],
  pairs: readonly Pair[],
  line: readonly number[],
): { children: ElkNode[]; edges: ElkExtendedEdge[] } {
  const place = new Map(states.map((id, index) => [id, index]));
  const distance = ([from, to]: Pair) => (place.get(to) ?? 0) - (place.get(from) ?? 0);
  const sources = new Set(pairs.map(([from]) => from));
  const children = states.map((id) => ({
    id: String(id),
    ...box,
    ports: [{ id: inPort(id), layoutOptions: { 'elk.port.side': 'WEST' } }],
    layoutOptions:
      alignsFinals(states.length) && !sources.has(id) ? { 'elk.layered.layering.layerConstraint': 'LAST' } : {},
  }));
  const edges = pairs.map((pair) => ({
    id: pair.join('-'),
    sources: [String(pair[0])],
    targets: [distance(pair) > 0 ? inPort(pair[1]) : String(pair[1])],
    layoutOptions: isMainEdge(line, pair) ? { 'elk.layered.priority.straightness': '100' } : {},
  }));
  return { children, edges };
}

const rounded = (value = 0) => Math.round(value * 10) / 10;
const pointOf = ({ x = 0, y = 0 }: { x?: number; y?: number }): Point => ({ x: rounded(x), y: rounded(y) });

function drawingOf({ width, height, children, edges }: ElkNode): Drawing {
  return {
    width: Math.ceil(width ?? 0),
    height: Math.ceil(height ?? 0),
    states: (children ?? []).map((child) => ({ id: Number(child.id), ...pointOf(child) })),
    edges: (edges ?? []).map(({ id, sections }) => {
      const [from = 0, to = 0] = id.split('-').map(Number);
      const points = (sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [
        startPoint,
        ...(bendPoints ?? []),
        endPoint,
      ]);
      return { from, to, points: points.map(pointOf) };
    }),
  };
}
