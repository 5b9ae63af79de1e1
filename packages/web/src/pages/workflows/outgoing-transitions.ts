import type { BodyOf } from '../../api/operation-query.ts';
import { actorText } from './graph/edges.ts';

type Graph = BodyOf<'getWorkflowGraph'>;

export interface OutgoingTransition {
  id: number;
  destination: { id: number; label: string };
  /** Who takes it. */
  actor: string;
  condition: string;
}

export function outgoingTransitions(
  { states, transitions }: Pick<Graph, 'states' | 'transitions'>,
  stateId: number,
): OutgoingTransition[] {
  const stateOf = new Map(states.map((state) => [state.id, state]));
  return transitions.flatMap((transition) => {
    const destination = stateOf.get(transition.destination_id);
    if (transition.source_id !== stateId || !destination) return [];
    return [{ id: transition.id, destination, actor: actorText(transition), condition: transition.condition }];
  });
}
