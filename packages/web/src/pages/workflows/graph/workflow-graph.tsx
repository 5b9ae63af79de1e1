/** The graph of a workflow with live counts. Clicking a state selects it, and clicking it again clears the selection. */
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { BodyOf } from '../../../api/operation-query.ts';
import type { StateCounts } from '../use-workflow.ts';
import { EdgeLines } from './edge-lines.tsx';
import { edgesOf } from './edges.ts';
import { Legend } from './legend.tsx';
import type { StateLook } from './state-looks.ts';
import { StateNode } from './state-node.tsx';
import styles from './graph.module.css';

interface Props {
  graph: BodyOf<'getWorkflowGraph'>;
  looks: ReadonlyMap<number, StateLook>;
  counts: ReadonlyMap<number, StateCounts>;
  selected: number | undefined;
  onSelect: (stateId: number | undefined) => void;
}

/** Smaller text would be hard to read. A graph that is still too wide scrolls. */
const minZoom = 0.7;

export function WorkflowGraph({ graph, looks, counts, selected, onSelect }: Props) {
  const { ref, width: space } = useElementSize<HTMLDivElement>();
  const edges = useMemo(() => edgesOf(graph), [graph]);
  const { width, height } = graph;
  const zoom = Math.max(minZoom, Math.min(1, space / width));
  return (
    <section aria-label="States">
      <div ref={ref} className={styles['graph']}>
        {space === 0 ? null : (
          <div style={{ width: width * zoom, height: height * zoom }}>
            <div className={styles['drawing']} style={{ width, height, transform: `scale(${zoom})` }}>
              {graph.states.map(({ id, x, y, width: w, height: h, callbacks }) => {
                const look = looks.get(id);
                return look ? (
                  <StateNode
                    key={id}
                    box={{ x, y, width: w, height: h }}
                    look={look}
                    callbacks={callbacks}
                    counts={counts.get(id)}
                    isSelected={id === selected}
                    onClick={() => onSelect(id === selected ? undefined : id)}
                  />
                ) : null;
              })}
              <EdgeLines edges={edges} looks={looks} width={width} height={height} selected={selected} />
            </div>
          </div>
        )}
      </div>
      <Legend />
    </section>
  );
}
