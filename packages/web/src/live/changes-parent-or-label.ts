import type { LiveEvent } from './live-event.ts';

const kinds: ReadonlySet<string> = new Set(['updateExperiment', 'updateSubject', 'updateCohort', 'importConfig']);

/**
 * Whether an event can change the parent or label of an object. Such an event names the new parent but not the old one, so
 * any list of experiments or subjects may be out of date.
 */
export const changesParentOrLabel = ({ kind }: Pick<LiveEvent, 'kind'>): boolean => kinds.has(kind);
