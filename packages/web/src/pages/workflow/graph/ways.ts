/** The transitions as lines: those between the same two states are one line with several conditions. */
import type { BodyOf } from '../../../api/operation-query.ts';
import type { Placed } from './place-states.ts';

export type Transition = BodyOf<'getWorkflowGraph'>['transitions'][number];

export interface Way {
  id: string;
  from: Placed;
  to: Placed;
  transitions: readonly Transition[];
  /** Only people take it: drawn as a dashed line. */
  byPersonOnly: boolean;
}

export function waysOf(transitions: readonly Transition[], places: readonly Placed[]): Way[] {
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

const byWords = { person: 'By people', engine: 'By itself', both: 'By itself or by people' };

/** Who takes it, and when. */
export const transitionWords = ({ condition, by }: Pick<Transition, 'condition' | 'by'>): string =>
  `${byWords[by]}: ${condition === '' ? 'always' : `if ${condition}`}`;

/** What the hint of a line says. */
export const wayWords = (transitions: readonly Transition[]): string => transitions.map(transitionWords).join('\n');
