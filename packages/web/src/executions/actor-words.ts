import type { TimelineAction } from './execution-words.ts';

/** Who caused an action: `by the workflow`. */
export function actorWords({ kind, name }: TimelineAction['actor']): string {
  if (kind === 'engine') return 'by the workflow';
  if (kind === 'user') return name === '' ? 'by a person' : `by ${name}`;
  if (kind === 'execution') return name === '' ? 'by a program' : `by the program of ${name}`;
  return 'by an operator';
}
