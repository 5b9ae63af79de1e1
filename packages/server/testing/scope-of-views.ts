/** Calls the store functions of saved views for a user who owns none, for the test of all store functions. Returns the ids that are visible. */
import type { Database } from '../src/database/connection.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { Problem } from '../src/errors.ts';
import type { Scope } from '../src/store/scope.ts';
import * as views from '../src/store/screens/views.ts';

const page = { limit: 10, offset: 0, after: 0 };
const callerWith = (scope: Scope) => ({ id: 99, scope });

async function idOf(view: Promise<views.ViewRow | undefined>): Promise<number[]> {
  try {
    return [(await view)?.id ?? []].flat();
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}

export const readsOfViews = (database: () => Database) => ({
  listViews: [
    async (scope: Scope) =>
      ((await views.listViews(database().db, callerWith(scope), page))?.rows ?? []).map(({ id }) => id),
  ],
  findView: [(scope: Scope, id: number) => idOf(views.findView(database().db, callerWith(scope), id))],
  getView: [(scope: Scope, id: number) => idOf(views.getView(database().db, callerWith(scope), id))],
  lockView: [
    (scope: Scope, id: number) => idOf(inTransaction(database().db, (tx) => views.lockView(tx, callerWith(scope), id))),
  ],
});
