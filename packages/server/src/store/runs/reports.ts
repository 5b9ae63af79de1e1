/** Compares a report with what an execution has. The database compares, because logs and values can have megabytes. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface Reported {
  status: string;
  result: string;
  run_log: string;
  result_log: string;
  result_values: Record<string, unknown>;
}

export interface ReportComparison {
  /** The fields of the report with another value than the stored one. */
  differing: (keyof Reported)[];
  /** Whether the execution has result values. */
  has_values: boolean;
}

export async function compareReport(
  db: Db,
  executionId: number,
  { status, result, run_log, result_log, result_values }: Partial<Reported>,
): Promise<ReportComparison> {
  const values = result_values === undefined ? null : JSON.stringify(result_values);
  const { rows } = await sql<ReportComparison>`
    select array_remove(array[
        case when one.status <> ${status ?? null}::text then 'status' end,
        case when one.result <> ${result ?? null}::text then 'result' end,
        case when one.run_log <> ${run_log ?? null}::text then 'run_log' end,
        case when one.result_log <> ${result_log ?? null}::text then 'result_log' end,
        case when one.result_values <> ${values}::jsonb then 'result_values' end], null) as differing,
      one.result_values <> '{}' as has_values
    from callback_executions as one where one.id = ${executionId}`.execute(db);
  return rows[0] ?? { differing: [], has_values: false };
}
