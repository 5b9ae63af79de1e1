import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';

/** No rows if the statement takes longer than a second. */
export async function withinTime<R>(db: Db, statement: RawBuilder<R>): Promise<{ rows: R[] }> {
  try {
    return await inTransaction(db, async (tx) => {
      await sql`select set_config('statement_timeout', '1000', true)`.execute(tx);
      return statement.execute(tx);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '57014') return { rows: [] };
    throw error;
  }
}
