/** Calls the store functions that complete queries with a scope, for the test of all of them. The texts end with the number of their cohort. */
import type { Database } from '../src/database/connection.ts';
import * as completions from '../src/store/screens/query-completions.ts';
import type { Scope } from '../src/store/scope.ts';

const numbersIn = async (found: Promise<completions.Completion[]>): Promise<number[]> =>
  (await found).map(({ text }) => Number(text.slice(1)));

export const readsOfCompletions = (database: () => Database) => ({
  completeCohorts: [(scope: Scope) => numbersIn(completions.completeCohorts(database().db, scope, 'C'))],
  completeAssignees: [(scope: Scope) => numbersIn(completions.completeAssignees(database().db, scope, 'U'))],
  completeVariables: [(scope: Scope) => numbersIn(completions.completeVariables(database().db, scope, 'V'))],
  completeValues: [(scope: Scope) => numbersIn(completions.completeValues(database().db, scope, 'site', 'w'))],
});
