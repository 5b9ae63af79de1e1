/** Claims: attempts that pulling workers started over HTTP. */
import type { Db } from '../../database/connection.ts';

/** The username that claimed the attempt. Undefined if there is no such attempt. */
export async function findWorker(db: Db, executionId: number, attempt: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('execution_attempts')
    .select('execution_attempts.worker')
    .where('execution_attempts.execution_id', '=', executionId)
    .where('execution_attempts.attempt', '=', attempt)
    .executeTakeFirst();
  return row?.worker;
}
