import type { TimelineAction } from './execution-words.ts';

/** The author of an action: `by the workflow`. */
export function actorWords({ kind, name }: TimelineAction['actor']): string {
  if (kind === 'engine') return 'by the workflow';
  if (kind === 'user') return name === '' ? 'by a user' : `by ${name}`;
  if (kind === 'execution') return name === '' ? 'by a callback' : `by callback ${name}`;
  return 'by an operator';
}
