/** The edges of the graph. Transitions between the same two states share one edge. */
import type { BodyOf } from '../../../api/operation-query.ts';
import type { CardLine } from '../../../ui/tooltip.tsx';
import type { Point } from './path-of.ts';
import { trafficText } from './traffic.ts';

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

export const byText = {
  person: 'Moved by a person',
  engine: 'Moved by the engine',
  both: 'Moved by the engine or a person',
};

/** Who takes the transition, with the text of its button. */
export const actorText = ({ by, title }: Pick<Transition, 'by' | 'title'>): string =>
  title === null || by === 'engine' ? byText[by] : `${byText[by]} · ${title}`;

/** The card of an edge, as lines of a tooltip. The moves are undefined until they are loaded. */
export const edgeCard = (from: string, to: string, transitions: readonly Transition[], moves?: number): CardLine[] => [
  { as: 'title', text: `${from} → ${to}` },
  ...transitions.flatMap((transition): CardLine[] => [
    ...(transition.condition === '' ? [] : [{ as: 'code' as const, text: transition.condition }]),
    { as: 'text', text: actorText(transition) },
  ]),
  ...(moves === undefined ? [] : [{ as: 'text' as const, text: trafficText(moves) }]),
];
