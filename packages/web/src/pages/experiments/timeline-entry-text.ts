/** How an entry of the timeline reads: `Moved by the engine`, `Corrected by Amina Haddad`. */
import { executionOutcome } from '../../status/execution-outcome.ts';
import type { TimelineAction } from '../../status/execution-text.ts';

const verbs: Readonly<Record<TimelineAction['kind'], string>> = {
  entry: 'Created',
  move: 'Moved',
  retry: 'Retried',
  correction: 'Corrected',
};

export interface EntryText {
  /** `Moved by`. */
  verb: string;
  actor: string;
  /** A user's name, which stands out. */
  isName: boolean;
}

export function entryText({ kind, actor }: Pick<TimelineAction, 'kind' | 'actor'>): EntryText {
  const verb = `${verbs[kind]} by`;
  if (actor.kind === 'user')
    return actor.name === '' ? { verb, actor: 'a user', isName: false } : { verb, actor: actor.name, isName: true };
  const callback = actor.name === '' ? 'a callback' : `callback ${actor.name}`;
  const others = { engine: 'the engine', execution: callback, operator: 'an operator' };
  return { verb, actor: others[actor.kind], isName: false };
}

/** Nothing to read but the names of its runs: without a reason, and each run succeeded at once. It takes one line. */
export const isUneventful = ({ kind, freetext, executions }: TimelineAction): boolean =>
  kind !== 'correction' &&
  freetext === '' &&
  executions.every((execution) => executionOutcome(execution) === 'success' && execution.attempt <= 1);
