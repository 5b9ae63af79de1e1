/** The graph of a workflow with live counts. Clicking a state selects it, and clicking it again clears the selection. */
import '@xyflow/react/dist/base.css';
import { useElementSize } from '@mantine/hooks';
import { BaseEdge, MarkerType, ReactFlow, type Edge, type EdgeProps } from '@xyflow/react';
import { useMemo } from 'react';
import type { BodyOf } from '../../../api/operation-query.ts';
import { tooltip } from '../../../ui/tooltip.tsx';
import type { StateCounts } from '../use-workflow.ts';
import { edgesOf, edgeText, type GraphEdge } from './edges.ts';
import { extentOf, node, placeStates } from './place-states.ts';
import { edgeMargin, pathOf, routeEdges } from './route-edges.ts';
import { StateNode, type StateNodeType } from './state-node.tsx';
import styles from './graph.module.css';

type Graph = BodyOf<'getWorkflowGraph'>;

interface Props {
  graph: Graph;
  counts: ReadonlyMap<number, StateCounts>;
  selected: number | undefined;
  onSelect: (stateId: number | undefined) => void;
}

type TransitionEdgeData = { path: string; text: string };
type TransitionEdgeType = Edge<TransitionEdgeData, 'transition'>;

/** An edge with a wider invisible line below it, which makes it easier to hover. */
const TransitionEdge = ({ markerEnd, data }: EdgeProps<TransitionEdgeType>) =>
  data ? (
    <g {...tooltip(data.text)}>
      <BaseEdge path={data.path} interactionWidth={14} {...(markerEnd === undefined ? {} : { markerEnd })} />
    </g>
  ) : null;

const nodeTypes = { state: StateNode };
const edgeTypes = { transition: TransitionEdge };
/** The height of a box and the space below it in the stored layout. */
const storedRowHeight = 80;
/** A higher graph is scaled down. Phones allow more height, because there it would be too small to read. */
const maxHeight = (width: number) => (width < 600 ? 1600 : 640);

const connects = ({ from, to }: GraphEdge, state: number | undefined) => from.id === state || to.id === state;

const flowEdge = (edge: GraphEdge, path: string, selected: number | undefined): TransitionEdgeType => ({
  id: edge.id,
  type: 'transition',
  source: String(edge.from.id),
  target: String(edge.to.id),
  data: { path, text: edgeText(edge.transitions) },
  markerEnd: {
    type: MarkerType.ArrowClosed,
    width: 14,
    height: 14,
    color: connects(edge, selected) ? 'var(--accent)' : 'var(--edge)',
  },
  className: [edge.byPersonOnly && styles['by-person'], connects(edge, selected) && styles['of-selected']]
    .filter(Boolean)
    .join(' '),
});

/** Leaves space on both sides for edges beside the outer columns. */
function layOut({ states, transitions }: Graph, width: number) {
  const places = placeStates(states, width - 2 * edgeMargin, storedRowHeight).map((place) => ({
    ...place,
    x: place.x + edgeMargin,
  }));
  const edges = edgesOf(transitions, places);
  const routes = routeEdges(edges, places);
  const extent = extentOf(places);
  const lines = edges.map((edge) => ({ edge, path: pathOf(routes.get(edge.id) ?? []) }));
  return { places, lines, width: extent.width + edgeMargin, height: extent.height };
}

function nodesOf(
  states: Graph['states'],
  places: ReturnType<typeof placeStates>,
  { counts, selected, onSelect }: Omit<Props, 'graph'>,
) {
  const placeOf = new Map(places.map((place) => [place.id, place]));
  return states.map(({ id, label }): StateNodeType => {
    const { x = 0, y = 0 } = placeOf.get(id) ?? {};
    const isSelected = id === selected;
    const onClick = () => onSelect(isSelected ? undefined : id);
    const data = { label, counts: counts.get(id), isSelected, onClick };
    return { id: String(id), type: 'state', position: { x, y }, width: node.width, height: node.height, data };
  });
}

export function WorkflowGraph({ graph, ...shown }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const layout = useMemo(() => layOut(graph, width), [graph, width]);
  const zoom = Math.min(1, width / layout.width);
  const limit = maxHeight(width);
  const isCut = layout.height * zoom > limit;
  return (
    <section
      aria-label="States"
      ref={ref}
      className={styles['graph']}
      style={{ height: Math.min(limit, layout.height * zoom + 32) }}
    >
      {width === 0 ? null : (
        <ReactFlow
          key={width}
          nodes={nodesOf(graph.states, layout.places, shown)}
          edges={layout.lines.map(({ edge, path }) => flowEdge(edge, path, shown.selected))}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultViewport={{ x: 0, y: 8, zoom }}
          fitView={isCut}
          minZoom={0.1}
          maxZoom={1.5}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          panOnDrag={isCut}
          proOptions={{ hideAttribution: true }}
        />
      )}
    </section>
  );
}
