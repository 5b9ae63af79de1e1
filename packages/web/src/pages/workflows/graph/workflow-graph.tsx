/** The graph of a workflow with counts. Clicking a state selects it, and clicking it again clears the selection. */
import { useElementSize, useViewportSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { BodyOf } from '../../../api/operation-query.ts';
import { useStateLooks } from '../../../status/use-state-look.tsx';
import type { StateCounts } from '../use-workflow.ts';
import { EdgeLines } from './edge-lines.tsx';
import { edgesOf } from './edges.ts';
import { Legend } from './legend.tsx';
import { StateNode } from './state-node.tsx';
import styles from './graph.module.css';

interface Props {
  graph: BodyOf<'getWorkflowGraph'>;
  counts: ReadonlyMap<number, StateCounts>;
  /** The median time in each state, in seconds. */
  medians: ReadonlyMap<number, number>;
  /** The number of experiments in all final states. */
  finished: number;
  /** Whether the counts are those of a past day, which has no proportions. */
  isPast: boolean;
  selected: number | undefined;
  onSelect: (stateId: number | undefined) => void;
}

function useTitles({ states }: Props['graph']) {
  const lookOf = useStateLooks();
  const titles = new Map(states.map((state) => [state.id, lookOf(state).title]));
  return (id: number) => titles.get(id) ?? '';
}

/** Smaller text would be hard to read. A graph that is still too large scrolls. */
const minZoom = 0.7;
/** A tall graph becomes smaller, so that the table below it begins within the window, but not as small as a wide one. */
const minZoomOfTall = 0.8;
const heightsIn = (window: number) => ({ fitting: window * 0.45, most: Math.max(320, window * 0.6) });

interface Size {
  width: number;
  height: number;
}

function zoomFor({ width, height }: Size, space: Size): number {
  const byHeight = Math.max(minZoomOfTall, space.height / height);
  return Math.max(minZoom, Math.min(1, space.width / width, byHeight));
}

export function WorkflowGraph({ graph, counts, medians, finished, isPast, selected, onSelect }: Props) {
  const { ref, width: space } = useElementSize<HTMLDivElement>();
  const { fitting, most } = heightsIn(useViewportSize().height);
  const edges = useMemo(() => edgesOf(graph), [graph]);
  const titleOf = useTitles(graph);
  const { width, height } = graph;
  const zoom = zoomFor(graph, { width: space, height: fitting });
  return (
    <section aria-label="States">
      <div className={styles['graph']} style={{ maxHeight: most }}>
        <div ref={ref} />
        {space === 0 ? null : (
          <div style={{ width: width * zoom, height: height * zoom }}>
            <div className={styles['drawing']} style={{ width, height, transform: `scale(${zoom})` }}>
              {graph.states.map((state) => (
                <StateNode
                  key={state.id}
                  state={state}
                  counts={counts.get(state.id)}
                  median={medians.get(state.id)}
                  finished={finished}
                  isPast={isPast}
                  isSelected={state.id === selected}
                  onClick={() => onSelect(state.id === selected ? undefined : state.id)}
                />
              ))}
              <EdgeLines
                workflowId={graph.workflow.id}
                edges={edges}
                titleOf={titleOf}
                width={width}
                height={height}
                selected={selected}
              />
            </div>
          </div>
        )}
      </div>
      <Legend isPast={isPast} />
    </section>
  );
}
