/** A workflow as a picture with live counts. A click on a state chooses it; a second one lets go. */
import '@xyflow/react/dist/base.css';
import { useElementSize } from '@mantine/hooks';
import { MarkerType, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import type { BodyOf } from '../../../api/operation-query.ts';
import type { StateCounts } from '../use-workflow.ts';
import { extentOf, node, placeStates } from './place-states.ts';
import { StateNode, type StateNodeType } from './state-node.tsx';
import { WayEdge, type WayEdgeType } from './way-edge.tsx';
import { half, pathOf, routeWays } from './route-ways.ts';
import { waysOf, wayWords, type Way } from './ways.ts';
import styles from './graph.module.css';

type Graph = BodyOf<'getWorkflowGraph'>;

interface Props {
  graph: Graph;
  counts: ReadonlyMap<number, StateCounts>;
  chosen: number | undefined;
  onChoose: (stateId: number | undefined) => void;
}

const nodeTypes = { state: StateNode };
const edgeTypes = { way: WayEdge };
/** Of the stored layout: a box and the space below it. */
const storedRowHeight = 80;
/** What is higher is drawn smaller. A phone is scrolled anyway, and there it would be too small to read. */
const highestOf = (width: number) => (width < 600 ? 1600 : 640);

const isOf = ({ from, to }: Way, state: number | undefined) => from.id === state || to.id === state;

const edgeOf = (way: Way, path: string, chosen: number | undefined): WayEdgeType => ({
  id: way.id,
  type: 'way',
  source: String(way.from.id),
  target: String(way.to.id),
  data: { path, words: wayWords(way.transitions) },
  markerEnd: {
    type: MarkerType.ArrowClosed,
    width: 14,
    height: 14,
    color: isOf(way, chosen) ? 'var(--accent)' : 'var(--edge)',
  },
  className: [way.byPersonOnly && styles['by-person'], isOf(way, chosen) && styles['of-chosen']]
    .filter(Boolean)
    .join(' '),
});

/** With space at both sides for lines that run beside the outer columns. */
function drawn({ states, transitions }: Graph, width: number) {
  const places = placeStates(states, width - 2 * half, storedRowHeight).map((place) => ({
    ...place,
    x: place.x + half,
  }));
  const ways = waysOf(transitions, places);
  const routes = routeWays(ways, places);
  const extent = extentOf(places);
  const lines = ways.map((way) => ({ way, path: pathOf(routes.get(way.id) ?? []) }));
  return { places, lines, width: extent.width + half, height: extent.height };
}

function nodesOf(
  states: Graph['states'],
  places: ReturnType<typeof placeStates>,
  { counts, chosen, onChoose }: Omit<Props, 'graph'>,
) {
  const placeOf = new Map(places.map((place) => [place.id, place]));
  return states.map(({ id, label }): StateNodeType => {
    const { x = 0, y = 0 } = placeOf.get(id) ?? {};
    const selected = id === chosen;
    const data = { label, counts: counts.get(id), selected, onChoose: () => onChoose(selected ? undefined : id) };
    return { id: String(id), type: 'state', position: { x, y }, width: node.width, height: node.height, data };
  });
}

export function WorkflowGraph({ graph, ...shown }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const picture = useMemo(() => drawn(graph, width), [graph, width]);
  const zoom = Math.min(1, width / picture.width);
  const highest = highestOf(width);
  const isCut = picture.height * zoom > highest;
  return (
    <section
      aria-label="States"
      ref={ref}
      className={styles['graph']}
      style={{ height: Math.min(highest, picture.height * zoom + 32) }}
    >
      {width === 0 ? null : (
        <ReactFlow
          key={width}
          nodes={nodesOf(graph.states, picture.places, shown)}
          edges={picture.lines.map(({ way, path }) => edgeOf(way, path, shown.chosen))}
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
