/** Reads the reported fields of an execution, including logs, to compare them with a new report. */
import type { Db } from '../../database/connection.ts';

export interface Reported {
  status: string;
  result: string;
  run_log: string;
  result_log: string;
  result_values: Record<string, unknown>;
}

export async function getReported(db: Db, executionId: number): Promise<Reported> {
  const row = await db
    .selectFrom('callback_executions')
    .select(['callback_executions.status', 'callback_executions.result', 'callback_executions.run_log'])
    .select(['callback_executions.result_log', 'callback_executions.result_values'])
    .where('callback_executions.id', '=', executionId)
    .executeTakeFirstOrThrow();
  return { ...row, result_values: row.result_values as Record<string, unknown> };
}
