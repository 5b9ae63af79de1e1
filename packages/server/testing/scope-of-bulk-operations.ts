/** Calls the store functions of bulk operations for a user who started none, for the test of all store functions. Returns the ids that are visible. */
import { queries } from '@milepost/api';
import type { Database } from '../src/database/connection.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { Problem } from '../src/errors.ts';
import { listItems } from '../src/store/bulk/bulk-items.ts';
import * as operations from '../src/store/bulk/bulk-operations.ts';
import { listFoundIds } from '../src/store/queries/list-found-ids.ts';
import { resolveQuery } from '../src/store/queries/resolve-query.ts';
import { allCohorts, type Scope } from '../src/store/scope.ts';

const callerWith = (scope: Scope) => ({ id: 99, scope });
const wholePage = { limit: 10, offset: 0, after: 0 };

async function idOf(operation: Promise<{ id: number } | undefined>): Promise<number[]> {
  try {
    return [(await operation)?.id ?? []].flat();
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}

export const readsOfBulkOperations = (database: () => Database) => ({
  listBulkOperations: [
    async (scope: Scope) => {
      const page = { own: false, applied: false, before: undefined, limit: 10 };
      const rows = await operations.listBulkOperations(database().db, callerWith(scope), page);
      return rows.map(({ id }) => id);
    },
  ],
  findBulkOperation: [
    (scope: Scope, id: number) => idOf(operations.findBulkOperation(database().db, callerWith(scope), id)),
  ],
  getBulkOperation: [
    (scope: Scope, id: number) => idOf(operations.getBulkOperation(database().db, callerWith(scope), id)),
  ],
  lockBulkOperation: [
    (scope: Scope, id: number) =>
      idOf(inTransaction(database().db, (tx) => operations.lockBulkOperation(tx, callerWith(scope), id))),
  ],
  listFoundIds: ['', 'incident:failed'].map((text) => async (scope: Scope) => {
    const { db } = database();
    const query = await resolveQuery(db, { id: 1, scope: allCohorts }, queries.readQuery(text).terms);
    return 'errors' in query ? [] : inTransaction(db, (tx) => listFoundIds(tx, scope, query, 10));
  }),
  listItems: [
    async (scope: Scope, id: number) => {
      const items = await listItems(database().db, callerWith(scope), { id, author_id: 1 }, wholePage);
      return items.map((item) => item.experiment_id);
    },
  ],
});
