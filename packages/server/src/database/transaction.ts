import type { Db, Tx } from './connection.ts';

/** All of it or nothing. What `work` throws undoes everything it wrote. */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  // Inside another it is part of that one, and undone with it.
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** Reads that see one moment, and write nothing. */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

class Rehearsed<T> extends Error {
  readonly result: T;
  constructor(result: T) {
    super('rehearsed');
    this.result = result;
  }
}

/** Does the work, undoes all of it, and answers what it answered: for dry runs. */
export async function rehearse<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, async (tx): Promise<never> => {
      throw new Rehearsed(await work(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
