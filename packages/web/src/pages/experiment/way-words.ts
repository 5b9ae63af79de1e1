import type { Way } from './use-experiment.ts';

/** Whether a way on is open, in a word or two; the reason why not stands under it in the server's words. */
export function wayWord({
  allowed,
  by,
  missing_permission,
}: Pick<Way, 'allowed' | 'by' | 'missing_permission'>): string {
  if (allowed) return 'possible now';
  if (by === 'engine') return 'by the workflow';
  return missing_permission === null ? 'not yet' : 'needs a permission';
}

/** What a part of a condition was: JSON, and words where there is no value. */
export function partWords({ value, error }: Way['condition_parts'][number]): string {
  if (error !== undefined) return error;
  return JSON.stringify(value) ?? 'nothing';
}
