import type { Db, Tx } from './connection.ts';

/** Commits what `work` writes, or rolls all of it back if `work` throws. */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  // Within another transaction, it becomes part of that one.
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** Runs reads in one snapshot. */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

class DryRunResult<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('dry run');
    this.result = result;
  }
}

/** Runs `work`, rolls it back and returns its result. */
export async function dryRun<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, async (tx): Promise<never> => {
      throw new DryRunResult(await work(tx));
    });
  } catch (error) {
    if (error instanceof DryRunResult) return error.result as T;
    throw error;
  }
}
