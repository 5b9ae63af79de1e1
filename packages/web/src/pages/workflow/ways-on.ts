import type { BodyOf } from '../../api/operation-query.ts';
import { transitionWords } from './graph/ways.ts';

type Graph = BodyOf<'getWorkflowGraph'>;

export interface WayOn {
  id: number;
  destination: { id: number; label: string };
  words: string;
}

/** Where one gets from a state. */
export function waysOn({ states, transitions }: Pick<Graph, 'states' | 'transitions'>, stateId: number): WayOn[] {
  const stateOf = new Map(states.map((state) => [state.id, state]));
  return transitions.flatMap((transition) => {
    const destination = stateOf.get(transition.destination_id);
    if (transition.source_id !== stateId || !destination) return [];
    return [{ id: transition.id, destination, words: transitionWords(transition) }];
  });
}
