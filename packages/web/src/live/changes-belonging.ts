import type { LiveEvent } from './live-event.ts';

const kinds: ReadonlySet<string> = new Set(['updateExperiment', 'updateSubject', 'updateCohort', 'importConfig']);

/**
 * Who belongs to whom, or is called what, changes seldom and by correction: an event then names what it is about now, and
 * not where that was before, so that whatever shows experiments or subjects may be wrong.
 */
export const changesBelonging = ({ kind }: Pick<LiveEvent, 'kind'>): boolean => kinds.has(kind);
