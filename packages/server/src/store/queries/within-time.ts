import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';

/** Somewhat less than the time that ends any statement, so that the request can go on. */
const shorter = sql`select set_config('statement_timeout',
  (extract(epoch from current_setting('statement_timeout')::interval) * 800)::integer::text, true)`;

/** No rows if the statement takes almost as long as the longest permitted one. */
export async function withinTime<R>(db: Db, statement: RawBuilder<R>): Promise<{ rows: R[] }> {
  try {
    return await inTransaction(db, async (tx) => {
      await shorter.execute(tx);
      return statement.execute(tx);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '57014') return { rows: [] };
    throw error;
  }
}
