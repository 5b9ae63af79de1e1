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

/** The value of a part of a condition as JSON, or the error if it has none. */
export function partText({ value, error }: Transition['condition_parts'][number]): string {
  if (error !== null) return error;
  return JSON.stringify(value) ?? 'no value';
}
