/** The names of changes, which the history calls `operation` and events call `kind`. */
import { addresses } from '../addresses.ts';

/** Changes that no request makes. If you rename one, keep the old name, because the history contains it. */
export const automaticChanges = [
  'createFirstAdmin',
  'resetPassword',
  'endAction',
  'openIncident',
  'reconcile',
  'runCallback',
  'sendPasswordReset',
  'signInWithProvider',
  'startExecution',
] as const;

export type AutomaticChange = (typeof automaticChanges)[number];

const changingOperations = Object.entries(addresses).flatMap(([name, { method }]) => (method === 'GET' ? [] : [name]));

export const changeNames: readonly string[] = [...changingOperations, ...automaticChanges].toSorted();
