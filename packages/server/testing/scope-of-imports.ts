/** Calls the store functions of imports for their author, for the test of all store functions. Returns the ids that are visible. */
import type { Database } from '../src/database/connection.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { Problem } from '../src/errors.ts';
import type { Scope } from '../src/store/scope.ts';
import * as imports from '../src/store/spreadsheets/imports.ts';

/** Only the author sees an import. */
const authorWith = (scope: Scope) => ({ id: 1, scope });

async function idOf(found: Promise<imports.ImportRow>): Promise<number[]> {
  try {
    return [(await found).id];
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}

export const readsOfImports = (database: () => Database) => ({
  listImports: [
    async (scope: Scope) => {
      const rows = await imports.listImports(database().db, authorWith(scope), { before: undefined, limit: 10 });
      return rows.map(({ id }) => id);
    },
  ],
  getImport: [(scope: Scope, id: number) => idOf(imports.getImport(database().db, authorWith(scope), id))],
  lockImport: [
    (scope: Scope, id: number) =>
      idOf(inTransaction(database().db, (tx) => imports.lockImport(tx, authorWith(scope), id))),
  ],
});
