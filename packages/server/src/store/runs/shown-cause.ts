/** Selects the cause of a failed or retrying run. */
import { sql } from 'kysely';

/**
 * Of the execution `one`. A run that succeeded after a retry keeps the cause of the failed attempt in its row, but has none. Runs
 * of the release before causes have the first line of their last error. Null if nobody said why.
 */
export const shownCause = sql<string | null>`case when one.result <> 'success' and one.status in ('running', 'finished')
  then nullif(coalesce(one.cause, left(split_part(one.last_error, e'\\n', 1), 500)), '') end`;

/** Of an incident. Only those of failed runs have one. */
export const incidentCause = sql<string | null>`(
  select ${shownCause} from callback_executions as one
  where one.id = incidents.execution_id and incidents.kind in ('failed', 'timed_out'))`;
