/** The edges of the graph. Transitions between the same two states share one edge. */
import type { BodyOf } from '../../../api/operation-query.ts';
import type { Placed } from './place-states.ts';

export type Transition = BodyOf<'getWorkflowGraph'>['transitions'][number];

export interface GraphEdge {
  id: string;
  from: Placed;
  to: Placed;
  transitions: readonly Transition[];
  /** Drawn as a dashed line. */
  byPersonOnly: boolean;
}

export function edgesOf(transitions: readonly Transition[], places: readonly Placed[]): GraphEdge[] {
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const groups = Map.groupBy(transitions, ({ source_id, destination_id }) => `${source_id}-${destination_id}`);
  return [...groups].flatMap(([id, group]) => {
    const [first] = group;
    const from = first && placeOf.get(first.source_id);
    const to = first && placeOf.get(first.destination_id);
    if (!from || !to || from === to) return [];
    return [{ id, from, to, transitions: group, byPersonOnly: group.every(({ by }) => by === 'person') }];
  });
}

const byText = { person: 'Manual', engine: 'Automatic', both: 'Automatic or manual' };

/** Who takes the transition, and on what condition. */
export const transitionText = ({ condition, by }: Pick<Transition, 'condition' | 'by'>): string =>
  condition === '' ? byText[by] : `${byText[by]}, if ${condition}`;

/** The tooltip of an edge. */
export const edgeText = (transitions: readonly Transition[]): string => transitions.map(transitionText).join('\n');
