/** The states to which experiments can be moved, first those that transitions lead to. */
import type { BodyOf } from '../api/operation-query.ts';

type Graph = Pick<BodyOf<'getWorkflowGraph'>, 'states' | 'transitions'>;

export interface TargetState {
  id: number;
  label: string;
}

/** Workflows can have states with the same label, and the request has only the label. */
const byLabel = (states: readonly TargetState[]): TargetState[] => [
  ...new Map(states.map(({ id, label }) => [label, { id, label }])).values(),
];

export function targetStates(
  graphs: readonly Graph[],
  current: readonly { id: number }[],
): { next: TargetState[]; others: TargetState[] } {
  const sources = new Set(current.map(({ id }) => id));
  const reached = new Set(
    graphs.flatMap(({ transitions }) =>
      transitions.filter(({ source_id: id }) => sources.has(id)).map(({ destination_id: id }) => id),
    ),
  );
  const states = graphs.flatMap((graph) => graph.states);
  const next = byLabel(states.filter(({ id }) => reached.has(id)));
  const labels = new Set(next.map(({ label }) => label));
  return { next, others: byLabel(states.filter(({ label }) => !labels.has(label))) };
}
