/** The edges of the graph. Transitions between the same two states share one edge. */
import type { BodyOf } from '../../../api/operation-query.ts';
import type { Point } from './path-of.ts';

type Graph = BodyOf<'getWorkflowGraph'>;
export type Transition = Graph['transitions'][number];

export interface GraphEdge {
  id: string;
  from: number;
  to: number;
  points: readonly Point[];
  transitions: readonly Transition[];
  /** Drawn as a dashed line. */
  byPersonOnly: boolean;
}

export function edgesOf({ edges, transitions }: Pick<Graph, 'edges' | 'transitions'>): GraphEdge[] {
  const groups = Map.groupBy(transitions, ({ source_id, destination_id }) => `${source_id}-${destination_id}`);
  return edges.map(({ source_id: from, destination_id: to, points }) => {
    const id = `${from}-${to}`;
    const group = groups.get(id) ?? [];
    return { id, from, to, points, transitions: group, byPersonOnly: group.every(({ by }) => by === 'person') };
  });
}

/** In the words of the legend. */
const byText = {
  person: 'Moved by a person',
  engine: 'Moved by the engine',
  both: 'Moved by the engine or a person',
};

/** Who takes the transition, and on what condition. */
export const transitionText = ({ condition, by }: Pick<Transition, 'condition' | 'by'>): string =>
  condition === '' ? byText[by] : `${byText[by]}, if ${condition}`;

/** The tooltip of an edge. */
export const edgeText = (from: string, to: string, transitions: readonly Transition[]): string =>
  [`${from} → ${to}`, ...transitions.map(transitionText)].join('\n');
