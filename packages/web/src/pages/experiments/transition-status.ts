import type { Transition } from './use-experiment.ts';

/** Whether the transition can be taken, in a word or two. The page shows the server's reason below it. */
export function transitionStatus({
  allowed,
  by,
  missing_permission,
}: Pick<Transition, 'allowed' | 'by' | 'missing_permission'>): string {
  if (allowed) return 'available';
  if (by === 'engine') return 'automatic';
  return missing_permission === null ? 'not yet' : 'permission required';
}

/** The title of a state that a transition leads to. Its label if none does. */
export const titleOf = (
  { id, label }: { id: number; label: string },
  transitions: readonly Pick<Transition, 'destination_state' | 'destination_title'>[],
): string => transitions.find(({ destination_state }) => destination_state.id === id)?.destination_title ?? label;

/** The value of a part of a condition as JSON, or the error if it has none. */
export function partText({ value, error }: Transition['condition_parts'][number]): string {
  if (error !== null) return error;
  return JSON.stringify(value) ?? 'no value';
}
